import {
  countMatchingLicenses,
  type LicenseFilter,
  type LicenseListItem,
  listLicensePage,
} from "#lib/db/license/list.ts";
import { type LicenseCursor, type LicenseOrder, toCursor } from "#lib/domain/license-order.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { LicenseFilter, LicenseListItem } from "#lib/db/license/list.ts";

/** As much as a connection takes at once: of larger pieces more is under way at a time, and outlives collections. */
const STREAM_PAGE_SIZE = 250;
/** Beyond it people read "many", and the database would count on. */
const COUNTED_AT_MOST = 10_000;

export interface LicenseListInput {
  readonly filter: LicenseFilter;
  readonly order: LicenseOrder;
  /** The last license of the page before; null for the first page. */
  readonly after: LicenseCursor | null;
  /** The first license of the page after: the page that ends right before it. Not together with `after`. */
  readonly before?: LicenseCursor | null | undefined;
  readonly limit: number;
}

export interface LicenseListPage {
  readonly licenses: readonly LicenseListItem[];
  /** Where the next page begins; null at the end. */
  readonly nextAfter: LicenseCursor | null;
  /** Before which the previous page ends; null at the start. */
  readonly previousBefore: LicenseCursor | null;
}

/** One page of the reseller's licenses (contract 2.4). Going back to less than a page gives the whole first page. */
export async function listLicenses(ctx: ServiceContext, input: LicenseListInput): Promise<LicenseListPage> {
  const resellerId = requireReseller(ctx, "licenses:read");
  const { limit, before = null } = input;
  const found = await listLicensePage(ctx.db, resellerId, { ...input, limit: limit + 1, now: ctx.now() });
  const more = found.length > limit;
  const cursorAt = (license: LicenseListItem | undefined) => (license ? toCursor(license, input.order) : null);
  if (before === null) {
    const licenses = found.slice(0, limit);
    return {
      licenses,
      nextAfter: more ? cursorAt(licenses.at(-1)) : null,
      previousBefore: input.after === null ? null : cursorAt(licenses.at(0)),
    };
  }
  if (found.length < limit) return listLicenses(ctx, { ...input, after: null, before: null });
  const licenses = found.slice(-limit);
  return {
    licenses,
    nextAfter: cursorAt(licenses.at(-1)),
    previousBefore: more ? cursorAt(licenses.at(0)) : null,
  };
}

export interface LicenseCount {
  readonly count: number;
  /** There are more than `count`. */
  readonly more: boolean;
}

/** How many licenses match, counted up to `atMost`, 10,000 unless told: as fast for a million as for that many. */
export async function countLicenses(
  ctx: ServiceContext,
  input: { readonly filter: LicenseFilter; readonly atMost?: number },
): Promise<LicenseCount> {
  const resellerId = requireReseller(ctx, "licenses:read");
  const { filter, atMost = COUNTED_AT_MOST } = input;
  const count = await countMatchingLicenses(ctx.db, resellerId, { filter, now: ctx.now(), atMost: atMost + 1 });
  return { count: Math.min(count, atMost), more: count > atMost };
}

/** All of them, in an order, a page at a time: memory does not grow with their number (contract 2.4). */
export async function* streamLicenses(
  ctx: ServiceContext,
  filter: LicenseFilter,
  order: LicenseOrder,
): AsyncGenerator<readonly LicenseListItem[], void> {
  let after: LicenseCursor | null = null;
  do {
    const page: LicenseListPage = await listLicenses(ctx, { filter, order, after, limit: STREAM_PAGE_SIZE });
    yield page.licenses;
    after = page.nextAfter;
  } while (after !== null);
}
