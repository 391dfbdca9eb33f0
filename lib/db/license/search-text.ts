/** As in `license_search_words`: everything but ASCII that is neither letter nor digit, and other punctuation. */
const WORD = /[^\0-/:-@[-`{-\u00bf\u2000-\u206f\u3000-\u303f]+/g;
/** As in `license_search_tokens`. */
const TOKEN_LENGTH = 20;

/** What is searched for, in lower case, from its first word on. */
export interface SearchText {
  readonly beginning: string;
  /** With what `license_search_words` puts before each word. */
  readonly words: string;
  /** What a token of `license_search_tokens` begins with, as it stands between the quotation marks of a tsquery. */
  readonly quotedToken: string;
}

/** Null for a text without a letter or digit, which finds nothing. */
export function toSearchText(text: string): SearchText | null {
  const plain = text.toLowerCase().replaceAll("\u0001", " ").replaceAll("\u0002", " ");
  const start = plain.search(WORD);
  if (start < 0) return null;
  const beginning = plain.slice(start);
  const token = Array.from(withoutKeyPrefix(beginning)).slice(0, TOKEN_LENGTH).join("");
  return { beginning, words: beginning.replace(WORD, "\u0001$&"), quotedToken: token.replace(/['\\]/g, "$&$&") };
}

/** A key is in the index without LIC-; and a word behind a word LIC is there by itself as well. */
function withoutKeyPrefix(beginning: string): string {
  const rest = beginning.startsWith("lic-") ? beginning.slice("lic-".length) : "";
  const start = rest.search(WORD);
  return start < 0 ? beginning : rest.slice(start);
}
