export const ON_A_DAY = "on";

/** How long a new key may work; `days` null: for good, or until a day. */
export const expiries = [
  { value: "never", label: "Never", days: null },
  { value: "30", label: "After 30 days", days: 30 },
  { value: "90", label: "After 90 days", days: 90 },
  { value: "365", label: "After a year", days: 365 },
  { value: ON_A_DAY, label: "On a date …", days: null },
] as const;
