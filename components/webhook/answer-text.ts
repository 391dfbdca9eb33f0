import type { LogRow } from "./webhook.ts";

/** "HTTP 503, attempt 2": what the receiver answered last. */
export function answerText({ attempts, outcome, status, underWay }: LogRow): string {
  if (attempts === 0) return outcome === "pending" ? "Not sent yet" : "Not sent";
  const answer = underWay ? "In progress" : status === null ? "No answer" : `HTTP ${status}`;
  return attempts === 1 ? answer : `${answer}, attempt ${attempts}`;
}
