/** PostgreSQL's `integer`, and the largest number that a parameter may hold (contract 1.8). */
export const MAX_INTEGER = 2_147_483_647;

const decimalPattern = /^[1-9]\d{0,9}$/;

/**
 * A form field or query parameter (text) or a JSON number from 1 to 2147483647. Null for anything else: sign, leading
 * zero, exponent, fraction, white space, other types (contract 1.8).
 */
export function parsePositiveInteger(value: unknown): number | null {
  const number = typeof value === "string" && decimalPattern.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number)) return null;
  return number >= 1 && number <= MAX_INTEGER ? number : null;
}
