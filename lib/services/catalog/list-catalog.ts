import {
  type CatalogBundleRow,
  type CatalogProductRow,
  countCatalogBundleRows,
  countCatalogProductRows,
  listCatalogBundleRows,
  listCatalogProductRows,
  listPriceCurrencyRows,
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
  readonly limit: number;
}

/** All products, by name. `text`: part of the name, type or provider code. */
export async function listCatalogProducts(
  ctx: ServiceContext,
  { provider, ...query }: CatalogQuery & { readonly provider: string | null },
): Promise<Page<CatalogProductRow, number>> {
  requireAdmin(ctx, "admin:read");
  const selection = { ...selectionOf(ctx, query), provider };
  return readCatalogPage(query, {
    list: (place) => listCatalogProductRows(ctx.db, { ...selection, ...place }),
    count: () => countCatalogProductRows(ctx.db, selection),
  });
}

/** All bundles, by name. `text`: part of the name or of a member's. */
export async function listCatalogBundles(
  ctx: ServiceContext,
  query: CatalogQuery,
): Promise<Page<CatalogBundleRow, number>> {
  requireAdmin(ctx, "admin:read");
  const selection = selectionOf(ctx, query);
  return readCatalogPage(query, {
    list: (place) => listCatalogBundleRows(ctx.db, { ...selection, ...place }),
    count: () => countCatalogBundleRows(ctx.db, selection),
  });
}

function selectionOf(ctx: ServiceContext, { text, state }: CatalogQuery) {
  return { pattern: text === null ? null : `%${escapeLikePattern(text)}%`, state, now: ctx.now() };
}

async function readCatalogPage<Row extends { readonly id: number }>(
  { after, limit }: CatalogQuery,
  of: {
    readonly list: (place: Pick<CatalogQuery, "after" | "limit">) => Promise<readonly Row[]>;
    readonly count: () => Promise<number>;
  },
) {
  return readPage(
    { before: after, limit },
    { list: (limit) => of.list({ after, limit }), count: of.count, placeOf: ({ id }: Row) => id },
  );
}

/** Currencies for prices, that of most resellers first; US dollars without any. */
export async function listPriceCurrencies(ctx: ServiceContext): Promise<readonly Currency[]> {
  requireAdmin(ctx, "admin:read");
  const currencies = await listPriceCurrencyRows(ctx.db);
  return currencies.length === 0 ? ["USD" as Currency] : currencies;
}
