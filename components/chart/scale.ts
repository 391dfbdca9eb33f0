/** The smallest whole number of 1, 1.5, 2, 3, 4, 5, 8 times a power of ten that is not below `value`; at least 1. */
export function scaleTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  const steps = [1, 1.5, 2, 3, 4, 5, 8].map((step) => step * power);
  return steps.find((step) => Number.isInteger(step) && step >= value) ?? 10 * power;
}

/**
 * The path of a line through the values, x from 0 to `values.length` (each in the middle of its place), y from 0 (`top`)
 * to 100 (zero). It is broken where there is no value; a value alone is a short dash.
 */
export function linePath(values: readonly (number | null)[], top: number): string {
  const parts: string[] = [];
  values.forEach((value, index) => {
    if (value === null) return;
    const x = index + 0.5;
    const y = round(100 - (100 * value) / top);
    const before = values[index - 1] ?? null;
    const after = values[index + 1] ?? null;
    if (before === null && after === null) parts.push(`M${x - 0.3} ${y}H${x + 0.3}`);
    else parts.push(`${before === null ? "M" : "L"}${x} ${y}`);
  });
  return parts.join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
