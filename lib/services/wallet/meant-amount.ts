import { findPaymentSetting } from "#lib/db/wallet/payment-settings.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { formatMoney } from "#lib/domain/money.ts";
import type { MoneyAmount, ServiceContext } from "#lib/services/context.ts";

/** Minor units, in every currency: $10,000.00, ¥1,000,000 or KWD 1,000.000. */
export const DEFAULT_CONFIRM_ABOVE = 1_000_000n;

/**
 * Asks an admin whether a large amount is meant; the command line is not asked.
 * @throws DomainError `parameters_invalid` with `meant_amount`
 */
export async function requireMeantAmount(
  ctx: ServiceContext,
  { minor, currency }: MoneyAmount,
  typed: { readonly amount: string; readonly meantAmount?: string | undefined },
): Promise<void> {
  if (ctx.actor.kind !== "admin" || typed.meantAmount?.trim() === typed.amount.trim()) return;
  const { confirmAbove } = (await findPaymentSetting(ctx.db, currency)) ?? {};
  const limit = confirmAbove ?? DEFAULT_CONFIRM_ABOVE;
  const magnitude = minor < 0n ? -minor : minor;
  if (magnitude <= limit) return;
  const question = `${formatMoney(magnitude, currency)} is more than ${formatMoney(limit, currency)}. Is that intended?`;
  throw new DomainError("parameters_invalid", question, { details: { meant_amount: question } });
}
