import type { Brand } from "./brand.ts";
import { formatLocale, numberFormat } from "./format-locale.ts";

/** An ISO 4217 code in capitals, e.g. `"USD"`. Created only by `parseCurrency`. */
export type Currency = Brand<string, "Currency">;

/**
 * ISO 4217 minor digits other than 2. Intl's digits are not used: ICU reports cash digits (0 for HUF, IDR, PKR, COP and
 * IQD) and changes between versions, but stored integers must keep their meaning.
 */
const exceptionalMinorDigits: ReadonlyMap<string, number> = new Map([
  ...["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF"].map((code) => [code, 0] as const),
  ...["UGX", "VND", "VUV", "XAF", "XOF", "XPF"].map((code) => [code, 0] as const),
  ...["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].map((code) => [code, 3] as const),
]);

/** Decimal digits that a JSON number (an IEEE double) represents exactly. */
const EXACT_DIGITS = 15;

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
const decimalPattern = /^(-?)(0|[1-9]\d{0,14})(?:\.(\d{1,3}))?$/;
/** Null unless `text` is an ISO 4217 code in capitals. */
export function parseCurrency(text: string): Currency | null {
  return currencies.has(text) ? (text as Currency) : null;
}

/** All ISO 4217 codes, in alphabetical order. */
export function listCurrencies(): readonly Currency[] {
  return [...currencies] as Currency[];
}

/** Decimal places of the minor unit: 0 (JPY), 2 (USD) or 3 (KWD). */
export function minorDigits(currency: Currency): number {
  return exceptionalMinorDigits.get(currency) ?? 2;
}

/** 1250n USD → `"12.50"`, with all minor digits of the currency. */
export function toMajorText(minor: bigint, currency: Currency): string {
  const digits = minorDigits(currency);
  if (digits === 0) return minor.toString();
  const sign = minor < 0n ? "-" : "";
  const padded = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, "0");
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`;
}

/**
 * 1250n USD → `12.5` (contract 1.9). Converts the decimal text, so the JSON number prints the exact amount; exact up to
 * the 15 digits that `parseMajor` accepts.
 */
export function toMajorNumber(minor: bigint, currency: Currency): number {
  return Number(toMajorText(minor, currency));
}

/**
 * `"12.5"` USD → 1250n. Null unless it is a plain decimal (optional leading `-`, no exponent, leading zeros or spaces)
 * with no more decimals than the currency and at most 15 digits in minor units (contract 1.9).
 */
export function parseMajor(text: string, currency: Currency): bigint | null {
  const match = decimalPattern.exec(text);
  if (match === null) return null;
  const [, sign, whole = "", fraction = ""] = match;
  const digits = minorDigits(currency);
  if (fraction.length > digits) return null;
  const magnitude = BigInt(whole + fraction.padEnd(digits, "0"));
  if (magnitude >= 10n ** BigInt(EXACT_DIGITS)) return null;
  return sign === "-" ? -magnitude : magnitude;
}

/** 1250n USD → `"$12.50"`. Never rounds. */
export function formatMoney(minor: bigint, currency: Currency, locale: string = formatLocale()): string {
  const digits = minorDigits(currency);
  const options = {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
  const text = toMajorText(minor, currency) as Intl.StringNumericLiteral;
  return numberFormat(options, locale).format(text);
}

/**
 * Rounds `numerator / denominator` to the nearest integer, halves away from zero, so a charge and its credit are exact
 * opposites (contract 3.6). Throws RangeError unless the denominator is positive.
 */
export function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError("The denominator must be positive.");
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}
