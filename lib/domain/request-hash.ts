import { createHash } from "node:crypto";

/**
 * Identifies a request under an idempotency key (contract 1.11): equal for the same operation and parsed parameters.
 * Field order and empty fields do not count.
 * @param operation unique among all operations that accept a key
 * @param parameters plain values, arrays and objects of them, `Date` and `bigint`
 */
export function hashRequest(operation: string, parameters: unknown): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([operation, canonical(parameters)]))
    .digest();
}

function canonical(value: unknown): unknown {
  if (typeof value === "bigint") return { bigint: value.toString() };
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(canonical);
  const given = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  const ordered = given.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(ordered.map(([name, field]) => [name, canonical(field)]));
}
