import { hrefOf, textOf } from "#app/search-params.ts";
import { type Renewal, renewals } from "#components/license/license-filter.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { parseIpv4Range } from "#lib/domain/ipv4-range.ts";
import {
  availableOrders,
  formatCursor,
  type LicenseCursor,
  type LicenseOrder,
  licenseOrders,
  parseCursor,
} from "#lib/domain/license-order.ts";
import { type LicenseStatus, licenseStatuses } from "#lib/domain/license-status.ts";
import type { LicenseFilter } from "#lib/services/license/list.ts";

/** What the list shows: all of it is in the address, so it can be shared and gone back to. */
export interface ListView {
  readonly q: string | null;
  readonly status: LicenseStatus | null;
  /** The product's type slug. */
  readonly product: string | null;
  /** Only what ends within so many days. */
  readonly expires: number | null;
  /** An address, a network, or its first octets: `203.0.113.*`. */
  readonly address: string | null;
  /** The id of a bundle on sale. */
  readonly bundle: number | null;
  /** The id of one bundle that was bought. */
  readonly instance: number | null;
  readonly renewal: Renewal | null;
  /** Null: the filter's own order. */
  readonly sort: LicenseOrder | null;
  readonly after: LicenseCursor | null;
  readonly before: LicenseCursor | null;
}

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** What makes no sense is left out: an address typed by hand never fails. */
export function parseView(query: Query): ListView {
  const address = textOf(query.address)?.trim() ?? null;
  const filters = {
    q: textOf(query.q)?.slice(0, MAX_SEARCH_LENGTH) ?? null,
    status: licenseStatuses.find((status) => status === textOf(query.status)) ?? null,
    product: textOf(query.product),
    expires: expiryDays.find((days) => String(days) === textOf(query.expires)) ?? null,
    address: address !== null && parseIpv4Range(address) !== null ? address : null,
    bundle: parsePositiveInteger(textOf(query.bundle)),
    instance: parsePositiveInteger(textOf(query.instance)),
    renewal: renewals.find((renewal) => renewal === textOf(query.renewal)) ?? null,
  };
  const [own, ...others] = availableOrders(filterOf(filters));
  const sort = others.find((order) => order === textOf(query.sort)) ?? null;
  const cursor = (value: Query[string]) => parseCursor(textOf(value) ?? "", sort ?? own ?? licenseOrders[0]);
  const after = cursor(query.after);
  return { ...filters, sort, after, before: after === null ? cursor(query.before) : null };
}

const MAX_SEARCH_LENGTH = 200;
const expiryDays = [7, 30];

/** The list with some of it changed; another filter or order begins at the first page. */
export function viewHref(view: ListView, change: Partial<ListView>, pathname = "/licenses"): string {
  const { after, before, ...rest } = { ...view, after: null, before: null, ...change };
  return hrefOf(pathname, { ...rest, after: after && formatCursor(after), before: before && formatCursor(before) });
}

type Filters = Omit<ListView, "sort" | "after" | "before">;

export function filterOf(view: Filters): LicenseFilter {
  const { q, status, product, expires, bundle, instance, renewal } = view;
  const addresses = view.address === null ? null : parseIpv4Range(view.address);
  return {
    ...(q === null ? {} : { text: q.trim() }),
    ...(status === null ? {} : { status }),
    ...(product === null ? {} : { type: product }),
    ...(expires === null ? {} : { expiresWithinDays: expires }),
    ...(addresses === null ? {} : { addresses }),
    ...(bundle === null ? {} : { bundleId: bundle }),
    ...(instance === null ? {} : { bundleInstanceId: instance }),
    ...(renewal === null ? {} : { renewal }),
  };
}

export function isFiltered(view: ListView): boolean {
  return Object.keys(filterOf(view)).length > 0;
}

/** The orders that the view can be shown in, and the one that it is shown in. */
export function orderOf(view: ListView): { readonly order: LicenseOrder; readonly orders: readonly LicenseOrder[] } {
  const orders = availableOrders(filterOf(view));
  return { orders, order: view.sort ?? orders[0] ?? licenseOrders[0] };
}
