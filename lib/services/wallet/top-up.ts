import { randomUUID } from "node:crypto";
import type { PaymentMethod } from "#lib/db/wallet/top-up.ts";
import { postLedgerEntry } from "#lib/db/wallet/wallet.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { type Currency, toMajorNumber, toMajorText } from "#lib/domain/money.ts";
import { NOTES_MAX_LENGTH } from "#lib/domain/text.ts";
import { actorName, requestName, requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readText } from "#lib/services/read-text.ts";
import { getLiveCurrency, readAmount, readReference } from "./amount.ts";
import { requireMeantAmount } from "./meant-amount.ts";

export type { PaymentMethod } from "#lib/db/wallet/top-up.ts";

export interface TopUpInput {
  readonly resellerId: ResellerId;
  /** In major units, e.g. "120.50", exact to the minor unit. */
  readonly amount: string;
  /** The same text, once a large amount was confirmed. */
  readonly meantAmount?: string | undefined;
  readonly note: string;
  /** The payment's reference, accepted once. */
  readonly reference?: string | undefined;
  readonly method?: PaymentMethod | undefined;
}

/**
 * Credits a reseller's wallet. Amounts in minor units of its currency.
 * @throws DomainError `not_found`, `parameters_invalid`, `conflict` (reference used before), `state_invalid` for a sandbox.
 */
export async function topUpWallet(
  ctx: ServiceContext,
  input: TopUpInput,
): Promise<{ readonly amount: bigint; readonly postedAfter: bigint; readonly currency: Currency }> {
  requireAdmin(ctx, "money:move");
  const { resellerId, method = null } = input;
  const note = readText(input.note, "note", NOTES_MAX_LENGTH);
  const reference = readReference(input.reference);
  const currency = await getLiveCurrency(ctx, resellerId);
  const amount = readAmount(input.amount, currency, "positive");
  await requireMeantAmount(ctx, { minor: amount, currency }, input);
  const postedAfter = await postLedgerEntry(
    writesOf(ctx),
    {
      resellerId,
      kind: "top_up",
      counterAccount: "top_ups",
      amount,
      reference,
      method,
      note,
      actor: actorName(ctx),
      event: {
        id: randomUUID(),
        kind: "wallet.topped_up",
        data: { amount: toMajorNumber(amount, currency), currency },
      },
      audit: {
        action: "wallet.top_up",
        requestId: requestName(ctx),
        data: { amount: toMajorText(amount, currency), currency, reference, method },
      },
    },
    ctx.now(),
  );
  return { amount, postedAfter, currency };
}
