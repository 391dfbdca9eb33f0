/** As in `license_search_words`: all but ASCII characters that are neither letter nor digit, and other punctuation. */
const WORD = /[^\0-/:-@[-`{-\u00bf\u2000-\u206f\u3000-\u303f]+/g;
/** As in `license_search_tokens`. */
const TOKEN_LENGTH = 20;

/** A search text in lower case, from its first word on. */
export interface SearchText {
  readonly beginning: string;
  /** With the separator of `license_search_words` before each word. */
  readonly words: string;
  /** The start of a token of `license_search_tokens`, quoted for a tsquery. */
  readonly quotedToken: string;
}

/** Null for a text without a letter or digit, which matches nothing. */
export function toSearchText(text: string): SearchText | null {
  const plain = text.toLowerCase().replaceAll("\u0001", " ").replaceAll("\u0002", " ");
  const start = plain.search(WORD);
  if (start < 0) return null;
  const beginning = plain.slice(start);
  const token = Array.from(withoutKeyPrefix(beginning)).slice(0, TOKEN_LENGTH).join("");
  return { beginning, words: beginning.replace(WORD, "\u0001$&"), quotedToken: token.replace(/['\\]/g, "$&$&") };
}

/** Keys are indexed without LIC-. A word after a word LIC is also indexed separately. */
function withoutKeyPrefix(beginning: string): string {
  const rest = beginning.startsWith("lic-") ? beginning.slice("lic-".length) : "";
  const start = rest.search(WORD);
  return start < 0 ? beginning : rest.slice(start);
}
