"use client";
import { useEffect } from "react";
import { useRefresh } from "#components/ui/use-refresh.ts";
import type { BulkJobView } from "./bulk-job.ts";
import { stopWatching, watchJob } from "./watch-job.ts";

const AT_WORK = "at work";

/** The stage of each job at the last refresh. */
const refreshedAt = new Map<number, string>();

/**
 * Refreshes the pages that show what a job changes: those that the router caches for Back, and the one that is open
 * when the job ends after its own page was left.
 */
export function useFreshPages({ id, state, counts }: BulkJobView): void {
  const refresh = useRefresh();
  const stage = state === "finished" ? `${state}, ${counts.pending} pending` : AT_WORK;
  useEffect(() => {
    if (refreshedAt.get(id) === stage) return;
    refreshedAt.set(id, stage);
    // Also drops the pages cached for Back.
    refresh();
  }, [id, stage, refresh]);
  useEffect(() => {
    stopWatching(id);
    return () => {
      if (refreshedAt.get(id) === AT_WORK) watchJob(id, refresh);
    };
  }, [id, refresh]);
}
