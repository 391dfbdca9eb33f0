/** Needs no quotes in an array. */
const plain = /^(?!null$)[\w.:+-]+$/i;
/** Of a year beyond, PostgreSQL reads another format. */
const YEAR_10000 = Date.UTC(10_000);

/**
 * A flat list in PostgreSQL's array syntax, for a fifth of the time that `pg` takes to escape each element. Lists of
 * anything else are left to it.
 */
export function toArrayText(values: readonly unknown[]): string | readonly unknown[] {
  let list = "";
  for (const value of values) {
    const element = toElement(value);
    if (element === undefined) return values;
    list += list === "" ? element : `,${element}`;
  }
  return `{${list}}`;
}

function toElement(value: unknown): string | undefined {
  if (value === null) return "NULL";
  if (typeof value === "string") return plain.test(value) ? value : `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (value instanceof Date && value.getTime() >= 0 && value.getTime() < YEAR_10000) return value.toISOString();
  return undefined;
}
