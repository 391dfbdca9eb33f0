import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, int, text } from "#lib/db/connection/columns.ts";
import { defineFindValue } from "#lib/db/connection/define.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { AuditAction } from "#lib/domain/audit.ts";
import type { Currency } from "#lib/domain/money.ts";
import { namePostingFailure } from "./wallet.ts";

const refund = { resellerId: int, currency: as<Currency>(text), amount: bigint, postedAfter: bigint };
export type Refund = RowOf<typeof refund>;

/** Null: no such operation. */
export const findOperationCurrency = defineFindValue("find_operation_currency", { currency: as<Currency>(text) })<
  [operationId: string]
>`
      select currency from operations where id = $1`;

const refundOperationStatement = statement("refund_operation", refund)`
      select w.reseller_id as "resellerId", w.currency, e.amount, e.posted_after as "postedAfter"
               from refund_operation($1, $2, $3, $4, $5, $6::jsonb, $7) e join wallets w on w.reseller_id = e.reseller_id`;

/**
 * Refunds all or part of an operation's charge, with an audit entry. `amount` null: all that remains. Null: no such
 * operation.
 * @throws DomainError `conflict` if the amount exceeds the remaining charge, or the reference was used before.
 */
export async function refundOperation(
  db: Database,
  refund: {
    readonly operationId: string;
    readonly amount: bigint | null;
    readonly reference: string | null;
    readonly note: string;
    readonly actor: string;
    readonly audit: { readonly action: AuditAction; readonly data: unknown; readonly requestId: string };
  },
  now: Date,
): Promise<Refund | null> {
  try {
    const { operationId, amount, reference, note, actor, audit } = refund;
    const values = [operationId, amount, reference, note, actor, JSON.stringify(audit), now];
    return await findRow(db, refundOperationStatement, values);
  } catch (error) {
    throw namePostingFailure(error);
  }
}
