import { postLedgerEntry } from "#lib/db/wallet/wallet.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";
import { REASON_MAX_LENGTH } from "#lib/domain/text.ts";
import { actorName, requestName, requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readRequired } from "#lib/services/read-text.ts";
import { getLiveCurrency, readAmount, readReference } from "./amount.ts";
import { requireMeantAmount } from "./meant-amount.ts";

export interface AdjustmentInput {
  readonly resellerId: ResellerId;
  /** Signed decimal text in major units, e.g. "-12.50"; negative amounts leave the wallet. */
  readonly amount: string;
  /** The same text, once a large amount was confirmed. */
  readonly meantAmount?: string | undefined;
  readonly reason: string;
  /** A reference is accepted once. */
  readonly reference?: string | undefined;
}

/**
 * Adjusts a balance, with a reason; held money stays covered. Amounts in minor units.
 * @throws DomainError `not_found`, `parameters_invalid`, `insufficient_balance`, `conflict` (reference used before),
 *   `state_invalid` for a sandbox.
 */
export async function adjustWallet(
  ctx: ServiceContext,
  input: AdjustmentInput,
): Promise<{ readonly amount: bigint; readonly postedAfter: bigint; readonly currency: Currency }> {
  requireAdmin(ctx, "money:move");
  const { resellerId } = input;
  const currency = await getLiveCurrency(ctx, resellerId);
  const amount = readAmount(input.amount, currency, "not_zero");
  const reason = readRequired(input.reason, "reason", REASON_MAX_LENGTH);
  const reference = readReference(input.reference);
  await requireMeantAmount(ctx, { minor: amount, currency }, input);
  const postedAfter = await postLedgerEntry(
    writesOf(ctx),
    {
      resellerId,
      kind: "adjustment",
      counterAccount: "adjustments",
      amount,
      reference,
      note: reason,
      actor: actorName(ctx),
      event: null,
      audit: {
        action: "wallet.adjust",
        requestId: requestName(ctx),
        data: { amount: toMajorText(amount, currency), currency, reference },
      },
    },
    ctx.now(),
  );
  return { amount, postedAfter, currency };
}
