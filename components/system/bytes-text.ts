const UNITS = ["kB", "MB", "GB", "TB"] as const;
const STEP = 1_000;

/** A size in the unit that leaves at most three digits before the point, such as "5.2 GB". */
export function bytesText(bytes: number): string {
  let amount = bytes / STEP;
  let unit = 0;
  while (amount >= STEP && unit < UNITS.length - 1) {
    amount /= STEP;
    unit += 1;
  }
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${UNITS[unit]}`;
}
