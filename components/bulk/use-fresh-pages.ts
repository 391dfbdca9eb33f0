"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import type { BulkJobView } from "./bulk-job.ts";
import { stopWatching, watchJob } from "./watch-job.ts";

const AT_WORK = "at work";

/** By job: how far it was when the pages were last read again. */
const refreshedAt = new Map<number, string>();

/**
 * Keeps other pages current, which show what a job changes: those that the router has kept for Back, and the one that is
 * open when a job ends whose page was left before.
 */
export function useFreshPages({ id, state, counts }: BulkJobView): void {
  const router = useRouter();
  const stage = state === "finished" ? `${state}, ${counts.pending} pending` : AT_WORK;
  useEffect(() => {
    if (refreshedAt.get(id) === stage) return;
    refreshedAt.set(id, stage);
    // It also drops what was kept for Back.
    router.refresh();
  }, [id, stage, router]);
  useEffect(() => {
    stopWatching(id);
    return () => {
      if (refreshedAt.get(id) === AT_WORK) watchJob(id, router.refresh);
    };
  }, [id, router]);
}
