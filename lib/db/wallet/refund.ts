import type { Database } from "#lib/db/connection/client.ts";
import type { AuditAction } from "#lib/domain/audit.ts";
import type { Currency } from "#lib/domain/money.ts";
import { namePostingFailure } from "./wallet.ts";

/** Minor units of `currency`. */
export interface Refund {
  readonly resellerId: number;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly postedAfter: bigint;
}

/** The wallet's currency of an operation; null when there is no such operation. */
export async function findOperationCurrency(db: Database, operationId: string): Promise<Currency | null> {
  const [row] = await db.query<{ currency: Currency }>({
    name: "find_operation_currency",
    text: "select currency from operations where id = $1",
    values: [operationId],
  });
  return row?.currency ?? null;
}

/**
 * Gives back what an operation charged, or a part of it, in one statement with its audit entry. `amount` null: all that
 * is left. Null: no such operation.
 * @throws DomainError `conflict` when more than what is left is asked for, or the reference was used before.
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
    const [row] = await db.query<Refund>({
      name: "refund_operation",
      text: `select w.reseller_id as "resellerId", w.currency, e.amount, e.posted_after as "postedAfter"
               from refund_operation($1, $2, $3, $4, $5, $6::jsonb, $7) e join wallets w on w.id = e.wallet_id`,
      values: [
        refund.operationId,
        refund.amount,
        refund.reference,
        refund.note,
        refund.actor,
        JSON.stringify(refund.audit),
        now,
      ],
    });
    return row ?? null;
  } catch (error) {
    throw namePostingFailure(error);
  }
}
