/** Limits in characters, which are Unicode code points (contract 1.8). */
export const NOTES_MAX_LENGTH = 1000;
export const REASON_MAX_LENGTH = 1000;
/** Of a payment, such as the number of a bank statement. */
export const REFERENCE_MAX_LENGTH = 100;
export const EXTERNAL_ID_MAX_LENGTH = 255;
export const HOSTNAME_MAX_LENGTH = 253;

/** PostgreSQL cannot store NUL (contract 1.7). */
export function hasNul(text: string): boolean {
  return text.includes("\0");
}

/** PostgreSQL stores the text unchanged: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !hasNul(text) && text.isWellFormed();
}

/** Foreign text, with a replacement character for whatever PostgreSQL cannot store. */
export function toStorable(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

/**
 * True up to `maxLength` characters, which are code points, as in PostgreSQL: an emoji outside the basic plane is one.
 * Does not scan text that is far too long.
 */
export function isWithinLength(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return true;
  return text.length <= 2 * maxLength && [...text].length <= maxLength;
}

/** Whether the text is stored unchanged, and has at most `maxLength` characters. */
export function isStorableWithin(text: string, maxLength: number): boolean {
  return isStorable(text) && isWithinLength(text, maxLength);
}

/** "not enough balance" → "Not enough balance". */
export function sentenceCase(phrase: string): string {
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/** "must be a host name" → "Host name must be a host name."; whole sentences stay as they are. */
export function problemSentence(name: string, problem: string): string {
  return /^[a-z]/.test(problem) ? `${name} ${problem}.` : problem;
}

/** Truncates long text for display. */
export function clip(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}

/**
 * For what strangers typed, in a message to somebody else: mail programs and chats make links of addresses, also with
 * the dots of East Asian keyboards. "evil.example" becomes "evil. example", "203.0.113.9" becomes "203. 0.113.9".
 */
export function unlinked(text: string): string {
  return text.replaceAll(/:(?=\/\/)|[.．。｡](?=\p{L}[\p{L}\p{M}]|(?<=\p{Nd}.)\p{Nd}+(?:[.．。｡]\p{Nd}+){2})/gu, "$& ");
}
