import { type Currency, minorDigits, parseMajor, toMajorText } from "./money.ts";

/** Minor units; for text that is no amount, why, if more can be said than that: reads after the field's name. */
export type TypedAmount =
  | { readonly minor: bigint; readonly problem?: never }
  | { readonly minor?: never; readonly problem: string | null };

const notAnAmount: TypedAmount = { problem: null };

const typedPattern = /^[-−]?\d[\d.,'’ ]{0,29}$/;
const plainPattern = /^\d{1,15}$/;
const groupedPattern = /^[1-9]\d{0,2}(?:([.,'’ ])\d{3})(?:\1\d{3})*$/;

/**
 * An amount in major units as people type it: `5000`, `5,000.50`, `5.000,50`, `5 000,50`, `5'000`. The result depends on
 * no locale, so text with two meanings is none: of one separator and three digits only the currency can tell, as JPY has
 * no decimals. A point and three digits of KWD are decimals, which is how amounts are shown (docs/decisions/0067).
 */
export function parseTypedAmount(text: string, currency: Currency): TypedAmount {
  const typed = text.trim().replaceAll(/\s/g, " ");
  if (!typedPattern.test(typed)) return notAnAmount;
  const sign = /^\d/.test(typed) ? "" : "-";
  const digits = sign === "" ? typed : typed.slice(1);
  const decimalAt = findDecimalSign(digits, currency);
  if (decimalAt === "ambiguous") {
    const decimals = `at most ${minorDigits(currency)} decimals after a point`;
    return { problem: `has two meanings: type ${digits.replace(/[.,]/, "")}, or ${decimals}` };
  }
  const whole = decimalAt === null ? digits : digits.slice(0, decimalAt);
  if (!plainPattern.test(whole) && !groupedPattern.test(whole)) return notAnAmount;
  const decimals = decimalAt === null ? "" : digits.slice(decimalAt + 1);
  if (plainPattern.test(decimals) && decimals.length > minorDigits(currency)) return tooPrecise(currency);
  const fraction = decimalAt === null ? "" : `.${decimals}`;
  const minor = parseMajor(`${sign}${whole.replaceAll(/\D/g, "")}${fraction}`, currency);
  return minor === null ? notAnAmount : { minor };
}

function tooPrecise(currency: Currency): TypedAmount {
  const decimals = minorDigits(currency);
  if (decimals === 0) return { problem: `must be a whole number: ${currency} has no decimals` };
  return { problem: `must have at most ${decimals} decimals` };
}

/** `120.50`, in the currency's decimals. */
export function amountExample(currency: Currency): string {
  return toMajorText(1_205n * 10n ** BigInt(Math.max(minorDigits(currency) - 1, 0)), currency);
}

/** Where the decimals begin; null: there are none. */
function findDecimalSign(text: string, currency: Currency): number | null | "ambiguous" {
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  if (last === -1) return null;
  const sign = text.charAt(last);
  if (text.indexOf(sign) < last) return null;
  if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return last;
  const decimals = minorDigits(currency);
  if (decimals === 0) return null;
  return decimals === 3 && sign === "." ? last : "ambiguous";
}
