import { listSelectedBundles, type SelectedBundle } from "#lib/db/bulk/selection.ts";
import { type BundleInstanceRow, countBundleInstances, listBundleInstances } from "#lib/db/bundle/instance.ts";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { type Page, type PageInput, readPage } from "#lib/services/page.ts";
import { priceOfBundle } from "#lib/services/renewals/price.ts";

export interface ListedBundle extends BundleInstanceRow {
  /** Renewal by the current cycle at today's price, in minor units; null if it cannot be renewed. */
  readonly renewal: { readonly price: bigint; readonly currency: Currency } | null;
}

/** The reseller's bundle instances, newest first. */
export async function listOwnBundleInstances(
  ctx: ServiceContext,
  input: PageInput<number>,
): Promise<Page<ListedBundle, number>> {
  const resellerId = requireReseller(ctx, "bundles:read");
  const list = (page: Required<PageInput<number>>) => listBundleInstances(ctx.db, resellerId, page);
  const page = await readPage(input, { list, count: null }, ({ id }) => id);
  const bundleInstanceIds = page.rows.map(({ id }) => id);
  const priced = await listSelectedBundles(ctx.db, resellerId, { bundleInstanceIds }, bundleInstanceIds.length);
  const rows = page.rows.map((instance) => {
    const row = priced.find(({ id }) => id === instance.id);
    return { ...instance, renewal: row && instance.terminatedAt === null ? renewalOf(row) : null };
  });
  return { ...page, rows };
}

function renewalOf({ basePrice, metering, currency }: SelectedBundle): ListedBundle["renewal"] {
  const price = basePrice === null ? null : priceOfBundle(basePrice, metering);
  return price === null ? null : { price, currency };
}

/** Counts the reseller's bundle instances, up to one more than a job can have. */
export async function countOwnBundleInstances(ctx: ServiceContext): Promise<number> {
  const resellerId = requireReseller(ctx, "bundles:read");
  return countBundleInstances(ctx.db, resellerId, MAX_BULK_ITEMS + 1);
}
