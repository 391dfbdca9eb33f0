import { insertTopUpRequest, type PaymentMethod, type TopUpRequestRow } from "#lib/db/wallet/top-up.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import { isPaymentOfAnother } from "#lib/domain/payment-reference.ts";
import { NOTES_MAX_LENGTH, REFERENCE_MAX_LENGTH } from "#lib/domain/text.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readRequired, readText } from "#lib/services/read-text.ts";
import { getLiveCurrency, readAmount, readReference } from "./amount.ts";

export type { TopUpRequestRow } from "#lib/db/wallet/top-up.ts";

/** Each is mailed to every admin, and listed before older ones of other resellers. */
const MAX_OPEN_REQUESTS = 20;

export interface TopUpRequestInput {
  /** Decimal text in major units. */
  readonly amount: string;
  /** The payment's reference, such as a transfer number; accepted once. Not one that we gave another reseller. */
  readonly reference: string;
  readonly method: PaymentMethod;
  readonly note?: string | undefined;
}

/**
 * Requests a top-up for a payment; an admin decides.
 * @throws DomainError `parameters_invalid`, `conflict` (reference used before), `state_invalid` in test mode, or
 *   with too many open requests.
 */
export async function requestTopUp(ctx: ServiceContext, input: TopUpRequestInput): Promise<TopUpRequestRow> {
  const resellerId = requireResellerUser(ctx, "wallet:write");
  const currency = await getLiveCurrency(ctx, resellerId);
  const reference = readRequired(readReference(input.reference) ?? "", "reference", REFERENCE_MAX_LENGTH);
  if (isPaymentOfAnother(reference, resellerId)) throw malformed("reference", "is of another account's payment");
  const request = {
    resellerId,
    amount: readAmount(input.amount, currency, "positive"),
    reference,
    method: input.method,
    note: readText(input.note ?? "", "note", NOTES_MAX_LENGTH),
  };
  const stored = await insertTopUpRequest(writesOf(ctx), request, MAX_OPEN_REQUESTS, changedBy(ctx));
  if (stored) return stored;
  const message = `${MAX_OPEN_REQUESTS} of your requests wait for a decision. Make another one once some are decided.`;
  throw new DomainError("state_invalid", message);
}
