import { type BulkJobView, countOf } from "./bulk-job.ts";

/** Fewer say nothing of the others. */
const FEWEST = 5;
const MINUTE_MS = 60_000;

/** Roughly how long what is left takes, at the pace so far; null while that cannot be said. */
export function timeLeftText(
  job: Pick<BulkJobView, "startedAt" | "counts">,
  nowMs: number = Date.now(),
): string | null {
  const waiting = countOf(job.counts, "waiting");
  const done = countOf(job.counts, "all") - waiting - job.counts.skipped;
  if (job.startedAt === null || done < FEWEST || waiting === 0) return null;
  const leftMs = ((nowMs - Date.parse(job.startedAt)) / done) * waiting;
  if (leftMs < MINUTE_MS) return "less than a minute left";
  const minutes = Math.ceil(leftMs / MINUTE_MS);
  return minutes < 90 ? `about ${minutes} minutes left` : `about ${Math.round(minutes / 60)} hours left`;
}
