import { countLedgerEntries, type LedgerFilter, type LedgerListRow, listLedgerEntries } from "#lib/db/wallet/wallet.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { readTwoWayPage, type TwoWayPage } from "#lib/services/page.ts";

export type { LedgerEntryRow, LedgerFilter, LedgerListRow } from "#lib/db/wallet/wallet.ts";

export type LedgerPage = TwoWayPage<LedgerListRow, bigint>;

/**
 * The wallet's ledger, optionally filtered, newest first. Exclusive cursors: `before` for older entries, `after` for
 * newer ones; both null for the newest.
 */
export async function listWalletEntries(
  ctx: ServiceContext,
  input: {
    readonly before: bigint | null;
    readonly after?: bigint | null | undefined;
    readonly limit?: number;
    readonly filter?: LedgerFilter;
  },
): Promise<LedgerPage> {
  const resellerId = requireReseller(ctx, "wallet:read");
  const { before, after = null, limit, filter = {} } = input;
  const reads = await ctx.db.reads();
  return readTwoWayPage(
    { onward: before, back: after, limit },
    {
      list: ({ onward, back, limit }) =>
        listLedgerEntries(reads, resellerId, { before: onward, after: back, limit }, filter),
      count: hasIndex(filter) ? () => countLedgerEntries(reads, resellerId, filter) : null,
      placeOf: ({ id }) => id,
    },
  );
}

/** One index serves one filter. */
function hasIndex({ kind, from, to, about }: LedgerFilter): boolean {
  return [kind, from ?? to, about].filter((value) => value !== undefined).length <= 1;
}
