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

/** The reader's choice; US formats for programs, messages and readers who have not chosen. */
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

/** Making a format takes a hundred times as long as using it. */
function remembered<Options extends object, Format>(make: (locale: string, options: Options) => Format) {
  const made = new Map<string, Format>();
  return (options: Options, locale: string = formatLocale()): Format => {
    const name = `${locale} ${JSON.stringify(options)}`;
    const format = made.get(name) ?? make(locale, options);
    made.set(name, format);
    return format;
  };
}

/** Of dates; by default the reader's. */
export const dateFormat = remembered(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

/** Of numbers and money; by default the reader's. */
export const numberFormat = remembered(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
