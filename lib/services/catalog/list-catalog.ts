import {
  type CatalogBundleRow,
  type CatalogProductRow,
  listCatalogBundleRows,
  listCatalogProductRows,
  listPriceCurrencyRows,
} from "#lib/db/catalog/list.ts";
import { escapeLikePattern } from "#lib/db/connection/like-pattern.ts";
import type { CatalogState } from "#lib/domain/catalog.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

export type {
  CatalogBundleRow,
  CatalogProductRow,
} from "#lib/db/catalog/list.ts";

/** What a list of the catalog shows. */
export interface CatalogQuery {
  /** Part of a name, or of what else names it. */
  readonly text: string | null;
  readonly state: CatalogState | null;
  /** The id to continue after; null from the beginning. */
  readonly after: number | null;
  readonly limit: number;
}

/** What is, was or could be sold, by name. `text`: part of the name, the type or the provider's code. */
export async function listCatalogProducts(
  ctx: ServiceContext,
  { provider, ...query }: CatalogQuery & { readonly provider: string | null },
): Promise<{ readonly products: readonly CatalogProductRow[]; readonly nextAfter: number | null }> {
  requireAdmin(ctx);
  const { rows, nextAfter } = pageOf(
    query,
    await listCatalogProductRows(ctx.db, { ...toRowQuery(ctx, query), provider }),
  );
  return { products: rows, nextAfter };
}

/** Bundles, by name, retired ones included. `text`: part of the name, or of a member's. */
export async function listCatalogBundles(
  ctx: ServiceContext,
  query: CatalogQuery,
): Promise<{ readonly bundles: readonly CatalogBundleRow[]; readonly nextAfter: number | null }> {
  requireAdmin(ctx);
  const { rows, nextAfter } = pageOf(query, await listCatalogBundleRows(ctx.db, toRowQuery(ctx, query)));
  return { bundles: rows, nextAfter };
}

function toRowQuery(ctx: ServiceContext, { text, state, after, limit }: CatalogQuery) {
  return {
    pattern: text === null ? null : `%${escapeLikePattern(text)}%`,
    state,
    after,
    limit: limit + 1,
    now: ctx.now(),
  };
}

/** Of one row more than asked for, which says whether there are more. */
function pageOf<Row extends { readonly id: number }>({ limit }: CatalogQuery, found: readonly Row[]) {
  const rows = found.slice(0, limit);
  return { rows, nextAfter: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

/**
 * The currencies to choose from for a price, the one of most resellers first; US dollars where there is neither reseller
 * nor price.
 */
export async function listPriceCurrencies(ctx: ServiceContext): Promise<readonly Currency[]> {
  requireAdmin(ctx);
  const currencies = await listPriceCurrencyRows(ctx.db);
  return currencies.length === 0 ? ["USD" as Currency] : currencies;
}
