export const ON_A_DAY = "on";

/** How long a new key may work; `days` null: for good, or until a day. */
export const expiries = [
  { value: "never", label: "Never", days: null },
  { value: "30", label: "For 30 days", days: 30 },
  { value: "90", label: "For 90 days", days: 90 },
  { value: "365", label: "For a year", days: 365 },
  { value: ON_A_DAY, label: "Until a date …", days: null },
] as const;
