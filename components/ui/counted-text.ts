import { numberText } from "#lib/domain/count-text.ts";
import { COUNTED_AT_MOST } from "#lib/domain/paging.ts";

/** "60", "1,000+": a count that stops at `atMost`; null stays null. */
export function countedText(count: number | null, atMost = COUNTED_AT_MOST): string | null {
  if (count === null) return null;
  return count > atMost ? `${numberText(atMost)}+` : numberText(count);
}
