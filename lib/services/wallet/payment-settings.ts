import { findPaymentSetting, listPaymentSettings, setPaymentSetting } from "#lib/db/wallet/payment-settings.ts";
import { countTopUpRequests } from "#lib/db/wallet/top-up.ts";
import { invalidParameters } from "#lib/domain/errors.ts";
import { type Currency, parseCurrency } from "#lib/domain/money.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { getResellerCurrency, readAmount } from "./amount.ts";
import { DEFAULT_CONFIRM_ABOVE } from "./meant-amount.ts";

const INSTRUCTIONS_MAX_LENGTH = 2_000;

export interface PaymentSettings {
  readonly currency: Currency;
  /** Minor units: an admin confirms a larger credit or adjustment. */
  readonly confirmAbove: bigint;
  /** How resellers pay. */
  readonly instructions: string;
}

/** Of every currency that a reseller has. */
export async function listCurrencyPaymentSettings(ctx: ServiceContext): Promise<readonly PaymentSettings[]> {
  requireAdmin(ctx, "admin:read");
  const rows = await listPaymentSettings(ctx.db);
  return rows.map(({ currency, confirmAbove, instructions }) => ({
    currency,
    confirmAbove: confirmAbove ?? DEFAULT_CONFIRM_ABOVE,
    instructions: instructions ?? "",
  }));
}

/** @throws DomainError `parameters_invalid` */
export async function setCurrencyPaymentSettings(
  ctx: ServiceContext,
  /** `confirmAbove`: in major units. */
  input: { readonly currency: string; readonly confirmAbove: string; readonly instructions: string },
): Promise<void> {
  requireAdmin(ctx, "money:move");
  const currency = parseCurrency(input.currency);
  if (currency === null) {
    throw invalidParameters([{ field: "currency", kind: "malformed", message: "must be an ISO 4217 code" }]);
  }
  const instructions = input.instructions.trim();
  if (instructions.length > INSTRUCTIONS_MAX_LENGTH) {
    const message = `must have at most ${INSTRUCTIONS_MAX_LENGTH} characters`;
    throw invalidParameters([{ field: "instructions", kind: "malformed", message }]);
  }
  const confirmAbove = readAmount(input.confirmAbove, currency, "not_negative", "confirm_above");
  await setPaymentSetting(writesOf(ctx), { currency, confirmAbove, instructions }, changedBy(ctx));
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
  return { instructions: setting?.instructions ?? "", reference: `LD-${resellerId}-${requests + 1}` };
}
