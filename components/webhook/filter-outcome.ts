/** What the log can be filtered by; as its badge names it. */
export const filterOutcomes = [
  { value: "pending", label: "Pending" },
  { value: "succeeded", label: "Delivered" },
  { value: "failed", label: "Failed" },
  { value: "discarded", label: "Discarded" },
] as const;
