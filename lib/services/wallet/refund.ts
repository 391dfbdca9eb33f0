import { findOperationCurrency, type Refund, refundOperation } from "#lib/db/wallet/refund.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { toMajorText } from "#lib/domain/money.ts";
import { REASON_MAX_LENGTH } from "#lib/domain/text.ts";
import { actorName, requestName, requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readRequired } from "#lib/services/read-text.ts";
import { readAmount, readReference } from "./amount.ts";

export type { Refund } from "#lib/db/wallet/refund.ts";

export interface RefundInput {
  readonly operationId: string;
  /** Decimal text in major units; default: all that remains of the charge. */
  readonly amount?: string | undefined;
  readonly reason: string;
  /** A reference is accepted once. */
  readonly reference?: string | undefined;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Refunds all or part of an operation's charge, at most what is neither refunded nor credited. Does not change the
 * license.
 * @throws DomainError `not_found`, `parameters_invalid`, `conflict` (too much, or reference used before).
 */
export async function refundCharge(ctx: ServiceContext, input: RefundInput): Promise<Refund> {
  requireAdmin(ctx, "money:move");
  const { operationId } = input;
  const currency = uuid.test(operationId) ? await findOperationCurrency(ctx.db, operationId) : null;
  if (currency === null) throw operationNotFound();
  const amount = input.amount === undefined ? null : readAmount(input.amount, currency, "positive");
  const note = readRequired(input.reason, "reason", REASON_MAX_LENGTH);
  const reference = readReference(input.reference);
  const asked = amount === null ? "all that is left" : toMajorText(amount, currency);
  const refund = await refundOperation(
    writesOf(ctx),
    {
      operationId,
      amount,
      reference,
      note,
      actor: actorName(ctx),
      audit: { action: "wallet.refund", requestId: requestName(ctx), data: { amount: asked, currency, reference } },
    },
    ctx.now(),
  );
  if (!refund) throw operationNotFound();
  return refund;
}

function operationNotFound(): DomainError {
  return new DomainError("not_found", "There is no such operation.");
}
