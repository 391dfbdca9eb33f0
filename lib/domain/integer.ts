/** PostgreSQL's `integer` maximum, and the largest accepted parameter (contract 1.8). */
export const MAX_INTEGER = 2_147_483_647;

const decimalPattern = /^[1-9]\d{0,9}$/;

const anyIntegerPattern = /^(?:0|-?[1-9]\d*)$/;

/** Whether text is an integer of any size, such as 0 or -1: written correctly, if perhaps out of range. */
export function isInteger(text: string): boolean {
  return anyIntegerPattern.test(text);
}

/**
 * Parses 1 to 2147483647 from text or a JSON number. Null for anything else: sign, leading zero, exponent, fraction,
 * white space, other types (contract 1.8).
 */
export function parsePositiveInteger(value: unknown): number | null {
  const number = typeof value === "string" && decimalPattern.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number)) return null;
  return number >= 1 && number <= MAX_INTEGER ? number : null;
}
