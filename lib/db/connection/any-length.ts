/**
 * A list whose length PostgreSQL does not see: anyLength("$2::bigint[]"). It would otherwise estimate a new plan for a
 * short list to be cheaper than the kept one, and make it at every call. The second cast makes `any` read a list, not rows.
 */
export function anyLength(list: `$${number}::${string}[]`): string {
  return `(select ${list})::${list.slice(list.indexOf("::") + 2)}`;
}
