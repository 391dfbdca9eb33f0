const HOUR_MS = 3_600_000;

/** Stretches of time that end now. */
export const requestSpans = ["1h", "24h", "7d"] as const;
export type RequestSpan = (typeof requestSpans)[number];

export const spanNames = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
} as const satisfies Record<RequestSpan, string>;

export const spanMs = {
  "1h": HOUR_MS,
  "24h": 24 * HOUR_MS,
  "7d": 7 * 24 * HOUR_MS,
} as const satisfies Record<RequestSpan, number>;

export const statusGroups = [
  { value: "2xx", label: "Answered (2xx)", statusClass: 2 },
  { value: "4xx", label: "Refused (4xx)", statusClass: 4 },
  { value: "5xx", label: "Failed (5xx)", statusClass: 5 },
] as const;

export type StatusGroup = (typeof statusGroups)[number]["value"];
