import { numberFormat } from "#lib/domain/format-locale.ts";
import { type Currency, formatMoney, minorDigits, parseCurrency, parseMajor } from "#lib/domain/money.ts";
import { parseTypedAmount } from "#lib/domain/typed-amount.ts";

/** −$12.50: what Money shows, for labels and messages. Throws RangeError when `currency` is not an ISO 4217 code. */
export function moneyText(minor: bigint | string, currency: string, signed = false): string {
  const amount = BigInt(minor);
  const sign = amount < 0n ? "−" : signed && amount > 0n ? "+" : "";
  return `${sign}${formatMoney(amount < 0n ? -amount : amount, requireCurrency(currency))}`;
}

function requireCurrency(text: string): Currency {
  const code = parseCurrency(text);
  if (code === null) throw new RangeError(`Not a currency: ${text}`);
  return code;
}

/** Of an event, which carries money in major units (contract 1.9); empty if it is none. */
export function majorMoneyText(major: unknown, currency: unknown): string {
  const code = parseCurrency(String(currency));
  const minor = code && parseMajor(String(major), code);
  return code === null || minor === null ? "" : moneyText(minor, code);
}

/** As the reader writes it, while it is not being typed: "2,150.00"; what is no amount stays as it is. */
export function shownAmount(text: string): string {
  const amount = /^\d{1,15}(?:\.(\d{1,3}))?$/.exec(text);
  if (!amount) return text;
  const digits = amount[1]?.length ?? 0;
  const format = numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits });
  return format.format(text as Intl.StringNumericLiteral);
}

/** What a field begins with: as the reader writes it, unless that has another meaning when it is sent. */
export function fieldAmount(text: string, currency: Currency): string {
  const shown = shownAmount(text);
  return parseTypedAmount(shown, currency).minor === parseMajor(text, currency) ? shown : text;
}

/** `$1.2K`, `−$80` or `$7.50`, as short as the tick of an axis. `major`: major units. */
export function compactMoneyText(major: number, currency: string): string {
  const digits = minorDigits(requireCurrency(currency));
  const exact = { minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  const short =
    Math.abs(major) < 100
      ? ({ ...exact, trailingZeroDisplay: "stripIfInteger" } as const)
      : ({ notation: "compact" } as const);
  return numberFormat({ style: "currency", currency, ...short })
    .format(major)
    .replace("-", "−");
}
