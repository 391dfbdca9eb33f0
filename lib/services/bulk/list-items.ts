import { type BulkItemRow, listBulkItems as readBulkItems } from "#lib/db/bulk/item.ts";
import type { BulkItemState } from "#lib/domain/bulk.ts";
import { ROWS_PER_PAGE } from "#lib/domain/paging.ts";
import { pastInsufficientBalance } from "#lib/domain/refused-charge.ts";
import { hasPermission, requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { getOwnBulkJob } from "./get.ts";

export type { BulkItemRow } from "#lib/db/bulk/item.ts";

export interface BulkItemPage {
  readonly items: readonly BulkItemRow[];
  /** Null on the last page. */
  readonly nextAfter: number | null;
}

/**
 * A job's items with their outcomes, in order; `states` filters.
 * @throws DomainError `not_found`, also for another reseller's (contract 1.12).
 */
export async function listBulkItems(
  ctx: ServiceContext,
  input: {
    readonly jobId: number;
    readonly states?: readonly BulkItemState[];
    /** Last position of the previous page; 0 for the first page. */
    readonly after: number;
    readonly limit?: number;
  },
): Promise<BulkItemPage> {
  const resellerId = requireResellerUser(ctx, "licenses:read");
  const { id } = await getOwnBulkJob(ctx, resellerId, input.jobId);
  const { states = null, after, limit = ROWS_PER_PAGE } = input;
  const found = await readBulkItems(ctx.db, resellerId, id, { states, after, limit: limit + 1 });
  const seesWallet = hasPermission(ctx, "wallet:read");
  const items = found.slice(0, limit).map((item) => toShownItem(item, seesWallet));
  return { items, nextAfter: found.length > limit ? (items.at(-1)?.position ?? null) : null };
}

/** What was available when an item was refused is read by those who see the wallet. */
export function toShownItem(item: BulkItemRow, seesWallet: boolean): BulkItemRow {
  const { errorCode, errorMessage } = item;
  if (errorCode !== "insufficient_balance" || errorMessage === null) return item;
  return { ...item, errorMessage: pastInsufficientBalance(errorMessage, seesWallet) };
}
