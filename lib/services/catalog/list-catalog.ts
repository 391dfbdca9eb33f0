import {
  bundleListing,
  type CatalogBundleRow,
  type CatalogProductRow,
  listPriceCurrencyRows,
  productListing,
} from "#lib/db/catalog/list.ts";
import { escapeLikePattern } from "#lib/db/connection/like-pattern.ts";
import type { CatalogState } from "#lib/domain/catalog.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { type Page, readPage } from "#lib/services/page.ts";

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
  readonly limit?: number;
}

/** All products, by name. `text`: part of the name, type or provider code. */
export async function listCatalogProducts(
  ctx: ServiceContext,
  { provider, ...query }: CatalogQuery & { readonly provider: string | null },
): Promise<Page<CatalogProductRow, number>> {
  requireAdmin(ctx, "admin:read");
  const products = productListing(ctx.db, { ...selectionOf(ctx, query), provider });
  return readPage({ before: query.after, limit: query.limit }, products, ({ id }) => id);
}

/** All bundles, by name. `text`: part of the name or of a member's. */
export async function listCatalogBundles(
  ctx: ServiceContext,
  query: CatalogQuery,
): Promise<Page<CatalogBundleRow, number>> {
  requireAdmin(ctx, "admin:read");
  const bundles = bundleListing(ctx.db, selectionOf(ctx, query));
  return readPage({ before: query.after, limit: query.limit }, bundles, ({ id }) => id);
}

function selectionOf(ctx: ServiceContext, { text, state }: CatalogQuery) {
  return { pattern: text === null ? null : `%${escapeLikePattern(text)}%`, state, now: ctx.now() };
}

/** Currencies for prices, that of most resellers first; US dollars without any. */
export async function listPriceCurrencies(ctx: ServiceContext): Promise<readonly Currency[]> {
  requireAdmin(ctx, "admin:read");
  const currencies = await listPriceCurrencyRows(ctx.db);
  return currencies.length === 0 ? ["USD" as Currency] : currencies;
}
