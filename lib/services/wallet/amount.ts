import { findReseller } from "#lib/db/reseller/reseller.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { findForeignCharacter, plainReference } from "#lib/domain/payment-reference.ts";
import { REFERENCE_MAX_LENGTH } from "#lib/domain/text.ts";
import { amountExample, parseTypedAmount } from "#lib/domain/typed-amount.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { readText } from "#lib/services/read-text.ts";
import { refuseSandbox } from "#lib/services/sandbox/open.ts";

export type AmountSign = "positive" | "not_negative" | "not_zero";

const wanted: Readonly<Record<AmountSign, { readonly words: string; readonly admits: (minor: bigint) => boolean }>> = {
  positive: { words: "a positive amount", admits: (minor) => minor > 0n },
  not_negative: { words: "an amount of 0 or more", admits: (minor) => minor >= 0n },
  not_zero: { words: "an amount other than 0", admits: (minor) => minor !== 0n },
};

/** Minor units of an amount as typed, in major units. @throws DomainError `parameters_invalid` */
export function readAmount(text: string, currency: Currency, sign: AmountSign, field = "amount"): bigint {
  const { minor, problem } = parseTypedAmount(text, currency);
  const { words, admits } = wanted[sign];
  if (minor !== undefined && admits(minor)) return minor;
  throw malformed(field, problem ?? `must be ${words} of ${currency} such as ${amountExample(currency)}`);
}

/** A payment's reference, or null. @throws DomainError `parameters_invalid` */
export function readReference(typed = ""): string | null {
  const reference = readText(plainReference(typed), "reference", REFERENCE_MAX_LENGTH);
  const foreign = findForeignCharacter(reference);
  if (foreign === undefined) return reference || null;
  const problem = `has “${foreign}”, which can be mistaken for another character`;
  throw malformed("reference", `${problem}. Use letters A to Z, digits, spaces, and signs such as - / . only`);
}

/** @throws DomainError `not_found` */
export async function getResellerCurrency(ctx: ServiceContext, resellerId: ResellerId): Promise<Currency> {
  return (await getReseller(ctx, resellerId)).currency;
}

/** Of a wallet with real money. @throws DomainError `not_found`, `state_invalid` for a sandbox */
export async function getLiveCurrency(ctx: ServiceContext, resellerId: ResellerId): Promise<Currency> {
  const reseller = await getReseller(ctx, resellerId);
  refuseSandbox(reseller);
  return reseller.currency;
}

async function getReseller(ctx: ServiceContext, resellerId: ResellerId) {
  const reseller = await findReseller(ctx.db, resellerId);
  if (!reseller) throw new DomainError("not_found", "There is no such reseller.");
  return reseller;
}
