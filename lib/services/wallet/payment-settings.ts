import {
  findPaymentSetting,
  listPaymentSettings,
  type PaymentSetting,
  setPaymentSetting,
} from "#lib/db/wallet/payment-settings.ts";
import { countTopUpRequests } from "#lib/db/wallet/top-up.ts";
import { numberText } from "#lib/domain/count-text.ts";
import { malformed } from "#lib/domain/errors.ts";
import { parseCurrency } from "#lib/domain/money.ts";
import { paymentReference } from "#lib/domain/payment-reference.ts";
import { isStorableWithin } from "#lib/domain/text.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changedMeanwhile } from "#lib/services/operation/seen-version.ts";
import { getResellerCurrency, readAmount } from "./amount.ts";
import { DEFAULT_CONFIRM_ABOVE } from "./meant-amount.ts";

const MAX_LENGTH = { instructions: 2_000, issuer: 500 };

/** `confirmAbove`: an admin confirms a larger credit or adjustment. `issuer`: heads the statements. */
export interface PaymentSettings extends PaymentSetting {
  /** Empty: nothing was set. */
  readonly version: string;
}

/** Of every currency that a reseller has. */
export async function listCurrencyPaymentSettings(ctx: ServiceContext): Promise<readonly PaymentSettings[]> {
  requireAdmin(ctx, "admin:read");
  const rows = await listPaymentSettings(ctx.db);
  return rows.map(({ confirmAbove, instructions, issuer, ...row }) => ({
    ...row,
    confirmAbove: confirmAbove ?? DEFAULT_CONFIRM_ABOVE,
    instructions: instructions ?? "",
    issuer: issuer ?? "",
  }));
}

/** @throws DomainError `parameters_invalid`, `changed_meanwhile` */
export async function setCurrencyPaymentSettings(
  ctx: ServiceContext,
  /** `confirmAbove`: in major units. */
  input: Readonly<Record<"currency" | "confirmAbove" | "instructions" | "issuer", string>>,
): Promise<void> {
  requireAdmin(ctx, "money:move");
  const currency = parseCurrency(input.currency);
  if (currency === null) throw malformed("currency", "must be an ISO 4217 code");
  const [instructions, issuer] = [input.instructions.trim(), input.issuer.trim()];
  for (const [field, text] of Object.entries({ instructions, issuer })) {
    const most = MAX_LENGTH[field as keyof typeof MAX_LENGTH];
    const message = `must have at most ${numberText(most)} characters`;
    if (!isStorableWithin(text, most)) throw malformed(field, message);
  }
  const confirmAbove = readAmount(input.confirmAbove, currency, "not_negative", "confirm_above");
  const setting = { currency, confirmAbove, instructions, issuer };
  if (!(await setPaymentSetting(writesOf(ctx), setting, ctx.seenVersion ?? null, changedBy(ctx)))) {
    throw changedMeanwhile("This setting");
  }
}

export interface PaymentGuide {
  /** Empty unless an admin wrote some. */
  readonly instructions: string;
  /** For the next payment: the same until it is requested. */
  readonly reference: string;
}

/** How a reseller pays for a top-up. */
export async function getPaymentGuide(ctx: ServiceContext): Promise<PaymentGuide> {
  const resellerId = requireReseller(ctx, "wallet:read");
  const currency = await getResellerCurrency(ctx, resellerId);
  const [setting, requests] = await Promise.all([
    findPaymentSetting(ctx.db, currency),
    countTopUpRequests(ctx.db, resellerId),
  ]);
  return { instructions: setting?.instructions ?? "", reference: paymentReference(resellerId, requests + 1) };
}
