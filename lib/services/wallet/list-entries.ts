import { countLedgerEntries, type LedgerFilter, type LedgerListRow, listLedgerEntries } from "#lib/db/wallet/wallet.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { totalOf } from "#lib/services/page.ts";

export type { LedgerFilter, LedgerListRow } from "#lib/db/wallet/wallet.ts";

export interface LedgerPage {
  readonly entries: readonly LedgerListRow[];
  /** Cursor of the next page (older); null at the end. */
  readonly nextBefore: bigint | null;
  /** Cursor of the previous page (newer); null at the start. */
  readonly previousAfter: bigint | null;
  /** On all pages, up to one more than `COUNTED_AT_MOST`; null if there is one page, or with several filters. */
  readonly total: number | null;
}

/**
 * The wallet's ledger, optionally filtered, newest first. Exclusive cursors: `before` for older entries, `after` for
 * newer ones; both null for the newest. Paging back to less than a page returns the whole first page.
 */
export async function listWalletEntries(
  ctx: ServiceContext,
  input: {
    readonly before: bigint | null;
    readonly after?: bigint | null | undefined;
    readonly limit: number;
    readonly filter?: LedgerFilter;
  },
): Promise<LedgerPage> {
  const resellerId = requireReseller(ctx, "wallet:read");
  const { before, after = null, limit, filter = {} } = input;
  const reads = await ctx.db.reads();
  const found = await listLedgerEntries(reads, resellerId, { before, after, limit: limit + 1 }, filter);
  const more = found.length > limit;
  if (after !== null && found.length < limit) return listWalletEntries(ctx, { ...input, before: null, after: null });
  const entries = after === null ? found.slice(0, limit) : found.slice(-limit);
  const older = after === null ? more : true;
  const newer = after === null ? before !== null : more;
  const count = hasIndex(filter) ? () => countLedgerEntries(reads, resellerId, filter) : null;
  return {
    entries,
    nextBefore: older ? (entries.at(-1)?.id ?? null) : null,
    previousAfter: newer ? (entries.at(0)?.id ?? null) : null,
    total: await totalOf(older || newer, count),
  };
}

/** One index serves one filter. */
function hasIndex({ kind, from, to, about }: LedgerFilter): boolean {
  return [kind, from ?? to, about].filter((value) => value !== undefined).length <= 1;
}
