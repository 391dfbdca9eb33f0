import type { Span } from "#components/ui/time-span.ts";

/** Requests are kept for 14 days. */
export const requestSpans = ["1h", "24h", "7d"] as const satisfies readonly Span[];

export const statusGroups = [
  { value: "2xx", label: "Answered (2xx)", statusClass: 2 },
  { value: "4xx", label: "Refused (4xx)", statusClass: 4 },
  { value: "5xx", label: "Failed (5xx)", statusClass: 5 },
] as const;

export const keyStates = [
  { value: "live", label: "Active" },
  { value: "ended", label: "Revoked or expired" },
] as const;
