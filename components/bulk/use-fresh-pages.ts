"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { fetchJson } from "#components/ui/fetch-json.ts";
import type { BulkJobView, BulkProgressPage } from "./bulk-job.ts";

const POLL_MS = 5_000;
/** Beyond it the reader has left: no page must keep their session from going idle. */
const MAX_POLLS = 120;
const AT_WORK = "at work";

/** By job: how far it was when the pages were last read again. */
const refreshedAt = new Map<number, string>();
/** By job that was left before its end. */
const timers = new Map<number, number>();

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
      if (refreshedAt.get(id) === AT_WORK) watch(id, router.refresh);
    };
  }, [id, router]);
}

function watch(id: number, refresh: () => void): void {
  stopWatching(id);
  let polls = 0;
  const timer = window.setInterval(async () => {
    if (++polls > MAX_POLLS) return stopWatching(id);
    if (document.visibilityState !== "visible") return;
    const url = `/jobs/${id}/progress`;
    const page = await fetchJson<BulkProgressPage>(url, AbortSignal.timeout(POLL_MS)).catch(() => null);
    if (page?.job.state !== "finished" || timers.get(id) !== timer) return;
    stopWatching(id);
    refresh();
  }, POLL_MS);
  timers.set(id, timer);
}

function stopWatching(id: number): void {
  window.clearInterval(timers.get(id));
  timers.delete(id);
}
