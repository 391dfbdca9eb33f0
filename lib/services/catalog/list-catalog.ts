import {
  type CatalogBundleRow,
  type CatalogProductRow,
  type CatalogState,
  listCatalogBundleRows,
  listCatalogProductRows,
  listPriceCurrencyRows,
} from "#lib/db/catalog-list.ts";
import { escapeLike } from "#lib/db/like.ts";
import type { Currency } from "#lib/domain/money.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

export {
  type CatalogBundleRow,
  type CatalogProductRow,
  type CatalogState,
  catalogStates,
} from "#lib/db/catalog-list.ts";

export interface CatalogPage {
  readonly products: readonly CatalogProductRow[];
  /** The id to continue after; null at the end. */
  readonly nextAfter: number | null;
}

/** What is, was or could be sold, by name. `text`: part of the name, the type or the provider's code. */
export async function listCatalogProducts(
  ctx: ServiceContext,
  input: {
    readonly text: string | null;
    readonly state: CatalogState | null;
    readonly provider: string | null;
    readonly after: number | null;
    readonly limit: number;
  },
): Promise<CatalogPage> {
  requireAdmin(ctx);
  const { text, state, provider, after, limit } = input;
  const pattern = text === null ? null : `%${escapeLike(text)}%`;
  const query = { pattern, state, provider, after, limit: limit + 1, now: ctx.now() };
  const found = await listCatalogProductRows(ctx.db, query);
  const products = found.slice(0, limit);
  return { products, nextAfter: found.length > limit ? (products.at(-1)?.id ?? null) : null };
}

/** Every bundle, by name, retired ones included. */
export async function listCatalogBundles(ctx: ServiceContext): Promise<readonly CatalogBundleRow[]> {
  requireAdmin(ctx);
  return listCatalogBundleRows(ctx.db, ctx.now());
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
