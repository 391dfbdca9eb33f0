/**
 * English with the numbers, money and dates of a region. Others, such as en-DE, write money with another decimal point than
 * numbers.
 */
export const formatLocales = ["en-US", "en-GB", "en-AT", "en-ZA", "en-IN"] as const;
export type FormatLocale = (typeof formatLocales)[number];

/** For whom something is written now. */
export interface Reader {
  formatLocale: FormatLocale | null;
}

const DEFAULT: FormatLocale = "en-US";
const KEY = Symbol.for("license-desk.reader");
/** One for each process: Next bundles its own copy of this module. A browser has a single reader. */
const shared = globalThis as { [KEY]?: () => Reader | undefined };
if (typeof window !== "undefined") {
  const reader: Reader = { formatLocale: null };
  shared[KEY] = () => reader;
}

/** @param find the reader of the running request, of which the server has many */
export function findReaderBy(find: () => Reader | undefined): void {
  shared[KEY] = find;
}

/** The reader's formats; those of the United States for programs, messages and whoever has not chosen. */
export function formatLocale(): FormatLocale {
  return shared[KEY]?.()?.formatLocale ?? DEFAULT;
}

export function setFormatLocale(chosen: FormatLocale | null): void {
  const reader = shared[KEY]?.();
  if (reader) reader.formatLocale = chosen;
}

export function isFormatLocale(name: string): name is FormatLocale {
  return (formatLocales as readonly string[]).includes(name);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The reader's format of dates. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const locale = formatLocale();
  const name = `${locale} ${JSON.stringify(options)}`;
  const known = formatters.get(name);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formatters.set(name, made);
  return made;
}
