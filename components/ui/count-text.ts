import { formatLocale } from "#lib/domain/format-locale.ts";
import { COUNTED_AT_MOST } from "#lib/domain/page-total.ts";

/** "1 row", "2,000 rows". */
export function countText(count: number, one: string, many: string): string {
  return `${count.toLocaleString(formatLocale())} ${count === 1 ? one : many}`;
}

/** "60", "1,000+": a count that stops at `atMost`; null stays null. */
export function countedText(count: number | null, atMost = COUNTED_AT_MOST): string | null {
  if (count === null) return null;
  return count > atMost ? `${atMost.toLocaleString(formatLocale())}+` : count.toLocaleString(formatLocale());
}
