import { fetchJson } from "#components/ui/fetch-json.ts";
import type { BulkProgressPage } from "./bulk-job.ts";

const POLL_MS = 5_000;
/** After ten minutes, polls once a minute. */
const FREQUENT_POLLS = 120;
const SLOWER_BY = 12;
/** The session has ended, or the job cannot be seen any more. */
const FINAL_REFUSALS: readonly unknown[] = [401, 404];

/** By id of the watched job. */
const timers = new Map<number, number>();

/** Polls until the job ends, then calls `onEnd`. Polls do not count as use of the session (docs/operating/users.md). */
export function watchJob(id: number, onEnd: () => void): void {
  stopWatching(id);
  let polls = 0;
  const timer = window.setInterval(async () => {
    if (document.visibilityState !== "visible") return;
    if (++polls > FREQUENT_POLLS && polls % SLOWER_BY !== 0) return;
    const url = `/jobs/${id}/progress`;
    const answer = await fetchJson<BulkProgressPage>(url, AbortSignal.timeout(POLL_MS)).catch((error: Error) => error);
    if (timers.get(id) !== timer) return;
    if (answer instanceof Error) {
      if (FINAL_REFUSALS.includes(answer.cause)) stopWatching(id);
      return;
    }
    if (answer.job.state !== "finished") return;
    stopWatching(id);
    onEnd();
  }, POLL_MS);
  timers.set(id, timer);
}

export function stopWatching(id: number): void {
  window.clearInterval(timers.get(id));
  timers.delete(id);
}
