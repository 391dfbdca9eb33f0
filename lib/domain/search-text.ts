import { type LicenseId, parseLicenseId } from "./ids.ts";
import { parsePositiveInteger } from "./integer.ts";

/** As in `license_search_words`: all but ASCII characters that are neither letter nor digit, and other punctuation. */
const WORD = /[^\0-/:-@[-`{-\u00bf\u2000-\u206f\u3000-\u303f]+/g;
/** As in `license_search_tokens`. */
const TOKEN_LENGTH = 20;
/** The end of a key, from the fewest characters that few keys share. */
const KEY_ENDING = /^[0-9a-hjkmnp-tv-z-]{4,26}$/;
const BUNDLE = /(?<!\S)bundle[\s_:#]*(\d{1,10})(?!\S)/g;
/** Stands between "bundle" and its number, so that the two are one word. */
const JOINT = "\u0001";

/** One word of a search, in lower case, from its first letter or digit on. */
export interface SearchWord {
  readonly beginning: string;
  /** With the separator of `license_search_words` before each of its parts. */
  readonly parts: string;
  /** The start of a token of `license_search_tokens`, quoted for a tsquery. */
  readonly quotedToken: string;
  /** For `lic_57` and `57`. */
  readonly licenseId: LicenseId | null;
  /** For `bundle 2`. */
  readonly bundleInstanceId: number | null;
  /** In capitals; null for what no key ends with. */
  readonly keyEnding: string | null;
}

/** Matches `license_search_words`, where lower() maps each character on its own. */
const foldCase = (text: string) => text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");

/** Empty for a text without a letter or digit, which matches nothing. */
export function toSearchWords(text: string): SearchWord[] {
  const plain = foldCase(text.normalize("NFC")).replaceAll("\u0001", " ").replaceAll("\u0002", " ");
  const words = new Set(plain.replace(BUNDLE, `bundle${JOINT}$1`).split(/\s+/));
  return [...words].flatMap((word) => toSearchWord(word) ?? []);
}

function toSearchWord(word: string): SearchWord | null {
  const start = word.search(WORD);
  if (start < 0) return null;
  const beginning = word.slice(start).replace(JOINT, " ");
  const token = Array.from(withoutKeyPrefix(beginning)).slice(0, TOKEN_LENGTH).join("");
  const [, bundle] = word.split(JOINT);
  return {
    beginning,
    parts: beginning.replace(WORD, "\u0001$&"),
    quotedToken: quoteToken(token),
    licenseId: parseLicenseId(beginning),
    bundleInstanceId: parsePositiveInteger(bundle ?? ""),
    keyEnding: KEY_ENDING.test(beginning) ? beginning.toUpperCase() : null,
  };
}

/** For a tsquery, between its quotes. */
export function quoteToken(token: string): string {
  return token.replace(/['\\]/g, "$&$&");
}

/** Keys are indexed without LIC-. A word after a word LIC is also indexed separately. */
function withoutKeyPrefix(beginning: string): string {
  const rest = beginning.startsWith("lic-") ? beginning.slice("lic-".length) : "";
  const start = rest.search(WORD);
  return start < 0 ? beginning : rest.slice(start);
}

const ENDS_WITH_KEY = /LIC-[0-9A-Z-]{20,}$/;

/**
 * What a search matches in a text, as pairs of start and end, in order and apart: beginnings of words, and the end of a
 * license key where the text ends with one.
 */
export function findMatches(text: string, words: readonly SearchWord[]): (readonly [start: number, end: number])[] {
  const lower = foldCase(text);
  const hasKey = ENDS_WITH_KEY.test(text);
  const found = words.flatMap(({ beginning, keyEnding }) => {
    const ranges: [number, number][] = [];
    if (hasKey && keyEnding !== null && text.endsWith(keyEnding))
      ranges.push([text.length - keyEnding.length, text.length]);
    for (let at = lower.indexOf(beginning); at >= 0; at = lower.indexOf(beginning, at + 1)) {
      if (at === 0 || lower.charAt(at - 1).search(WORD) < 0) ranges.push([at, at + beginning.length]);
    }
    return ranges;
  });
  const apart: [number, number][] = [];
  for (const [start, end] of found.toSorted(([a], [b]) => a - b)) {
    const last = apart.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else apart.push([start, end]);
  }
  return apart;
}

const BEFORE_MATCH = 30;
const EXCERPT_LENGTH = 90;

/** What stands around the first match in a long text, on one line; null without a match. */
export function excerptOf(text: string, words: readonly SearchWord[]): string | null {
  const plain = text.replace(/\s+/g, " ");
  const [first] = findMatches(plain, words);
  if (first === undefined) return null;
  const start = first[0] <= BEFORE_MATCH ? 0 : first[0] - BEFORE_MATCH;
  const end = start + EXCERPT_LENGTH;
  return `${start > 0 ? "…" : ""}${plain.slice(start, end).toWellFormed()}${end < plain.length ? "…" : ""}`;
}
