import {
  listProductRevenue,
  listResellerRevenue,
  type ProductRevenueRow,
  type ResellerRevenueRow,
} from "#lib/db/overview/revenue.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { lastMonths } from "#lib/domain/months.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

const MONTHS = 12;

export interface Revenue {
  /** The first instants in UTC, oldest first. */
  readonly months: readonly Date[];
  readonly products: readonly ProductRevenueRow[];
}

/** What was earned in the last twelve months, by product: with all live resellers, or with one. */
export async function getRevenue(
  ctx: ServiceContext,
  input: { readonly resellerId: ResellerId | null },
): Promise<Revenue> {
  requireAdmin(ctx, "admin:read");
  const months = lastMonths(ctx.now(), MONTHS);
  const since = months[0] ?? ctx.now();
  return { months, products: await listProductRevenue(await ctx.db.reads(), { ...input, since }) };
}

/** The resellers that brought most in a month. */
export async function listTopResellers(
  ctx: ServiceContext,
  input: { readonly month: Date; readonly currency: Currency; readonly limit: number },
): Promise<readonly ResellerRevenueRow[]> {
  requireAdmin(ctx, "admin:read");
  return listResellerRevenue(await ctx.db.reads(), input);
}
