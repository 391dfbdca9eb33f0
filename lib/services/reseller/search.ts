import { listResellerFigures } from "#lib/db/overview/revenue.ts";
import { type ResellerRow, resellerListing } from "#lib/db/reseller/reseller.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { lastMonths } from "#lib/domain/months.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { type Page, readPage } from "#lib/services/page.ts";

export type { ResellerRow } from "#lib/db/reseller/reseller.ts";

export interface ResellerQuery {
  readonly text: string | null;
  /** Only those whose available balance is below their own threshold. */
  readonly low?: boolean;
  /** Unless newest first. */
  readonly byName?: boolean;
  readonly before: number | null;
  readonly limit?: number;
}

/** By part of name or email address. `before`: those that follow this id. */
export async function searchResellers(ctx: ServiceContext, input: ResellerQuery): Promise<Page<ResellerRow, number>> {
  requireAdmin(ctx, "admin:read");
  return readPage(input, resellerListing(ctx.db, input), ({ resellerId }) => resellerId);
}

export interface ResellerFigures {
  /** Not terminated. */
  readonly licenses: number;
  /** There are more. */
  readonly more: boolean;
  /** Of this month (UTC), in minor units of the reseller's currency. */
  readonly revenue: bigint;
}

const LICENSES_COUNTED = 10_000;

/** Beside a page of resellers. */
export async function readResellerFigures(
  ctx: ServiceContext,
  input: { readonly ids: readonly ResellerId[] },
): Promise<ReadonlyMap<ResellerId, ResellerFigures>> {
  requireAdmin(ctx, "admin:read");
  const [month = ctx.now()] = lastMonths(ctx.now(), 1);
  const query = { ids: input.ids, month, atMost: LICENSES_COUNTED + 1 };
  const rows = await listResellerFigures(await ctx.db.reads(), query);
  return new Map(
    rows.map(({ resellerId, licenses, revenue }) => [
      resellerId,
      { licenses: Math.min(licenses, LICENSES_COUNTED), more: licenses > LICENSES_COUNTED, revenue },
    ]),
  );
}
