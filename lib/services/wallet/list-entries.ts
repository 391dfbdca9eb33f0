import { type LedgerFilter, type LedgerListRow, listLedgerEntries } from "#lib/db/wallet/wallet.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { LedgerFilter, LedgerListRow } from "#lib/db/wallet/wallet.ts";

export interface LedgerPage {
  readonly entries: readonly LedgerListRow[];
  /** Cursor of the next page (older); null at the end. */
  readonly nextBefore: bigint | null;
  /** Cursor of the previous page (newer); null at the start. */
  readonly previousAfter: bigint | null;
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
  const { before, after = null, limit, filter } = input;
  const found = await listLedgerEntries(await ctx.db.reads(), resellerId, { before, after, limit: limit + 1 }, filter);
  const more = found.length > limit;
  if (after === null) {
    const entries = found.slice(0, limit);
    return {
      entries,
      nextBefore: more ? (entries.at(-1)?.id ?? null) : null,
      previousAfter: before === null ? null : (entries.at(0)?.id ?? null),
    };
  }
  if (found.length < limit) return listWalletEntries(ctx, { ...input, before: null, after: null });
  const entries = found.slice(-limit);
  return { entries, nextBefore: entries.at(-1)?.id ?? null, previousAfter: more ? (entries.at(0)?.id ?? null) : null };
}
