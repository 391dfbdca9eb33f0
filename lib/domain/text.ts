/** Limits in characters, which are Unicode code points (contract 1.8). */
export const NOTES_MAX_LENGTH = 1000;
export const REASON_MAX_LENGTH = 1000;
export const HOSTNAME_MAX_LENGTH = 253;

/** PostgreSQL stores no NUL, so it is refused at the door (contract 1.7). */
export function hasNul(text: string): boolean {
  return text.includes("\0");
}

/** Text that PostgreSQL stores as it is: no NUL, and no half of a character, which would become U+FFFD. */
export function isStorable(text: string): boolean {
  return !hasNul(text) && text.isWellFormed();
}

/** Code points, as people and PostgreSQL count them: an emoji outside the basic plane is one, not two. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 0; index + 1 < text.length; index++) {
    if (isHighSurrogate(text.charCodeAt(index)) && isLowSurrogate(text.charCodeAt(index + 1))) {
      count--;
      index++;
    }
  }
  return count;
}

/** True up to and including `maxLength` characters; does not read a text that is far too long. */
export function isWithinLength(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return true;
  return text.length <= 2 * maxLength && countCharacters(text) <= maxLength;
}

/** As much of a text as is shown where it may be of any length. */
export function clip(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
