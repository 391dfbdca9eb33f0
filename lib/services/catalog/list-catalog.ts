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

export interface CatalogQuery {
  /** Part of a name or code. */
  readonly text: string | null;
  readonly state: CatalogState | null;
  /** The cursor; null for the first page. */
  readonly after: number | null;
  readonly limit: number;
}

/** All products, by name. `text`: part of the name, type or provider code. */
export async function listCatalogProducts(
  ctx: ServiceContext,
  { provider, ...query }: CatalogQuery & { readonly provider: string | null },
): Promise<{ readonly products: readonly CatalogProductRow[]; readonly nextAfter: number | null }> {
  requireAdmin(ctx, "admin:read");
  const { rows, nextAfter } = pageOf(
    query,
    await listCatalogProductRows(ctx.db, { ...toRowQuery(ctx, query), provider }),
  );
  return { products: rows, nextAfter };
}

/** All bundles, by name. `text`: part of the name or of a member's. */
export async function listCatalogBundles(
  ctx: ServiceContext,
  query: CatalogQuery,
): Promise<{ readonly bundles: readonly CatalogBundleRow[]; readonly nextAfter: number | null }> {
  requireAdmin(ctx, "admin:read");
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

/** Reads one row more than the limit, to detect a next page. */
function pageOf<Row extends { readonly id: number }>({ limit }: CatalogQuery, found: readonly Row[]) {
  const rows = found.slice(0, limit);
  return { rows, nextAfter: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

/** Currencies for prices, that of most resellers first; US dollars without any. */
export async function listPriceCurrencies(ctx: ServiceContext): Promise<readonly Currency[]> {
  requireAdmin(ctx, "admin:read");
  const currencies = await listPriceCurrencyRows(ctx.db);
  return currencies.length === 0 ? ["USD" as Currency] : currencies;
}
