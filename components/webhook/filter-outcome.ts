/** What the log can be filtered by; `pending` is what waits, also for another attempt. */
export const filterOutcomes = [
  { value: "pending", label: "Pending" },
  { value: "succeeded", label: "Delivered" },
  { value: "failed", label: "Failed" },
  { value: "discarded", label: "Discarded" },
] as const;

export type FilterOutcome = (typeof filterOutcomes)[number]["value"];
