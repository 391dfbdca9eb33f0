import {
  countMatchingLicenses,
  type LicenseFilter,
  type LicenseListItem,
  type LicensePage,
  listLicensePage,
} from "#lib/db/license/list.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { type LicenseCursor, type LicenseOrder, toCursor } from "#lib/domain/license-order.ts";
import { requireAdmin, requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { readTwoWayPage, type TwoWayPage } from "#lib/services/page.ts";
import { readInTurn } from "#lib/services/read-in-turn.ts";

export type { LicenseFilter, LicenseListItem } from "#lib/db/license/list.ts";

/** Fits a socket's buffer; larger pages stay in memory longer. */
const STREAM_PAGE_SIZE = 250;
/** Counting reads every match, so it is capped. */
const COUNT_LIMIT = 10_000;

export type LicenseListInput = Omit<LicensePage, "now" | "limit"> & { readonly limit?: number };

export type LicenseListPage = TwoWayPage<LicenseListItem, LicenseCursor>;

/** One page of the reseller's licenses (contract 2.4). */
export async function listLicenses(ctx: ServiceContext, input: LicenseListInput): Promise<LicenseListPage> {
  return readPage(ctx, requireReseller(ctx, "licenses:read"), input);
}

/** The same of all live resellers. */
export async function listAllLicenses(ctx: ServiceContext, input: LicenseListInput): Promise<LicenseListPage> {
  requireAdmin(ctx, "admin:read");
  return readPage(ctx, null, input);
}

async function readPage(
  ctx: ServiceContext,
  resellerId: ResellerId | null,
  input: LicenseListInput,
): Promise<LicenseListPage> {
  const { filter, order, after, before = null, limit } = input;
  const reads = await ctx.db.reads();
  return readTwoWayPage(
    { onward: after, back: before, limit },
    {
      list: ({ onward, back, limit }) =>
        listLicensePage(reads, resellerId, { filter, order, after: onward, before: back, limit, now: ctx.now() }),
      count: null,
      placeOf: (license) => toCursor(license, order),
    },
  );
}

export interface LicenseCount {
  readonly count: number;
  /** True if there are more than `count`. */
  readonly more: boolean;
}

interface LicenseCountInput {
  readonly filter: LicenseFilter;
  readonly atMost?: number;
}

/** Counts matching licenses up to `atMost`, by default 10,000. */
export async function countLicenses(ctx: ServiceContext, input: LicenseCountInput): Promise<LicenseCount> {
  return count(ctx, requireReseller(ctx, "licenses:read"), input);
}

/** The same of all live resellers. */
export async function countAllLicenses(ctx: ServiceContext, input: LicenseCountInput): Promise<LicenseCount> {
  requireAdmin(ctx, "admin:read");
  return count(ctx, null, input);
}

async function count(
  ctx: ServiceContext,
  resellerId: ResellerId | null,
  input: LicenseCountInput,
): Promise<LicenseCount> {
  const { filter, atMost = COUNT_LIMIT } = input;
  const found = await countMatchingLicenses(await ctx.db.reads(), resellerId, {
    filter,
    now: ctx.now(),
    atMost: atMost + 1,
  });
  return { count: Math.min(found, atMost), more: found > atMost };
}

type LicenseStream = AsyncGenerator<readonly LicenseListItem[], void>;

/** Streams all matching licenses in pages, in constant memory (contract 2.4). */
export async function* streamLicenses(ctx: ServiceContext, filter: LicenseFilter, order: LicenseOrder): LicenseStream {
  yield* streamPages(ctx, requireReseller(ctx, "licenses:read"), filter, order);
}

/** The same of all live resellers. */
export async function* streamAllLicenses(
  ctx: ServiceContext,
  filter: LicenseFilter,
  order: LicenseOrder,
): LicenseStream {
  requireAdmin(ctx, "admin:read");
  yield* streamPages(ctx, null, filter, order);
}

async function* streamPages(
  ctx: ServiceContext,
  resellerId: ResellerId | null,
  filter: LicenseFilter,
  order: LicenseOrder,
): LicenseStream {
  let after: LicenseCursor | null = null;
  do {
    const input = { filter, order, after, limit: STREAM_PAGE_SIZE };
    const page: LicenseListPage = await readInTurn(resellerId, () => readPage(ctx, resellerId, input));
    yield page.rows;
    after = page.next;
  } while (after !== null);
}
