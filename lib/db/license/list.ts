import type { Database } from "#lib/db/connection/client.ts";
import { as, boolean, int, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { type RowOf, statementOf } from "#lib/db/connection/statement.ts";
import type { LicenseId, OperationId, ProductId, ResellerId } from "#lib/domain/ids.ts";
import { ipv4FromNumber } from "#lib/domain/ipv4-range.ts";
import { availableOrders, type LicenseCursor, type LicenseOrder } from "#lib/domain/license-order.ts";
import { licenseFacts } from "./facts.ts";
import { type LicenseFilter, matchLicenses, ofAllResellers } from "./filter.ts";
import { labelColumns, selectLabels } from "./labels.ts";
import { firstMatches, nameByText, nameSearch } from "./search.ts";

export type { LicenseFilter } from "./filter.ts";

const licenseListItem = {
  ...licenseFacts,
  id: as<LicenseId>(int),
  resellerId: as<ResellerId>(int),
  resellerName: text,
  key: text,
  productId: as<ProductId>(int),
  type: text,
  productName: text,
  ipAddress: text,
  hostname: text,
  notes: text,
  ...labelColumns,
  externalId: nullable(text),
  /** Null unless core-metered. */
  cores: nullable(int),
  issuedAt: timestamp,
  /** The license's cycle, or its bundle's. */
  cycleName: text,
  cycleMonths: int,
  bundleInstanceId: nullable(int),
  openOperationId: nullable(as<OperationId>(text)),
  bundleName: nullable(text),
  autoRenew: boolean,
};
export type LicenseListItem = RowOf<typeof licenseListItem>;

export interface LicensePage {
  readonly filter: LicenseFilter;
  readonly order: LicenseOrder;
  /** The last license of the previous page; null for the first page. */
  readonly after: LicenseCursor | null;
  /** The first license of the next page, to page backward. Exclusive with `after`. */
  readonly before?: LicenseCursor | null | undefined;
  readonly limit: number;
  readonly now: Date;
}

interface OrderSql {
  /** The sort expression before the id; null: the id alone. */
  readonly key: string | null;
  readonly ascending: boolean;
  /** Converts a cursor's key for comparison in the database. */
  readonly keyValue: (key: number) => unknown;
}

const time = (key: number) => new Date(key);
const orders = {
  newest: { key: null, ascending: false, keyValue: Number },
  oldest: { key: null, ascending: true, keyValue: Number },
  ends_first: { key: "l.expires_at", ascending: true, keyValue: time },
  ends_last: { key: "l.expires_at", ascending: false, keyValue: time },
  address: { key: "l.ip_address::inet", ascending: true, keyValue: ipv4FromNumber },
  address_last: { key: "l.ip_address::inet", ascending: false, keyValue: ipv4FromNumber },
} as const satisfies Record<LicenseOrder, OrderSql>;

/** Of the dashboard's pages, the API's and an export's, each with the row that shows whether another page follows. */
const USUAL_LIMITS: ReadonlySet<number> = new Set([51, 101, 251]);

/** Whether a page is one of those asked for most: of all licenses, by their id. */
function isUsual({ filter, order, limit }: LicensePage): boolean {
  const hasFilter = Object.values(filter).some((value) => value !== undefined);
  return orders[order].key === null && !hasFilter && USUAL_LIMITS.has(limit);
}

/** One page by keyset, equally fast at any position. `resellerId` null: of all live resellers. */
export async function listLicensePage(
  db: Database,
  resellerId: ResellerId | null,
  page: LicensePage,
): Promise<LicenseListItem[]> {
  const match = await matchLicenses(db, resellerId, page.filter, page.now);
  const order: OrderSql = orders[page.order];
  const backwards = page.before !== undefined && page.before !== null;
  const ascending = order.ascending !== backwards;
  const edge = page.before ?? page.after;
  const direction = ascending ? "asc" : "desc";
  const orderBy = [...(order.key === null ? [] : [order.key]), "l.id"].map((key) => `${key} ${direction}`).join(", ");
  const usual = isUsual(page);
  const stretch = {
    key: order.key,
    ascending,
    beyond: edge === null ? null : beyond(order, edge, ascending ? ">" : "<", match.bind),
    // For a limit that is a value, PostgreSQL would make a new plan at every call.
    limit: usual ? String(page.limit) : match.bind(page.limit),
  };
  const first = firstMatches(match, stretch);
  const text = `
      select l.id, l.reseller_id as "resellerId", o.name as "resellerName", l.key, l.product_id as "productId", p.slug as type, p.name as "productName", l.ip_address as "ipAddress", l.hostname, l.notes,
             ${selectLabels},
             l.external_id as "externalId", l.cores, l.issued_at as "issuedAt", c.name as "cycleName", c.months as "cycleMonths", l.bundle_instance_id as "bundleInstanceId",
             l.open_operation_id as "openOperationId",
             b.name as "bundleName", coalesce(i.auto_renew, l.auto_renew) as "autoRenew",
             l.expires_at as "expiresAt", l.provisioned_at as "provisionedAt",
             l.suspended_at as "suspendedAt", l.terminated_at as "terminatedAt"
        from (${resellerId === null ? ofAllResellers(first, `order by ${orderBy} limit ${stretch.limit}`) : first}) l
        join resellers o on o.id = l.reseller_id
        join products p on p.id = l.product_id
        left join bundle_instances i on i.id = l.bundle_instance_id and i.reseller_id = l.reseller_id
        left join bundles b on b.id = i.bundle_id
        left join billing_cycles c on c.id = coalesce(l.cycle_id, i.cycle_id)
       order by ${orderBy}`;
  const searchName = order.key === null ? nameSearch(page.filter, text) : undefined;
  const name = usual ? nameByText("list_licenses", text) : searchName;
  const rows = await db.query(statementOf(licenseListItem)(text, { name }), match.values);
  return backwards ? rows.reverse() : rows;
}

function beyond(order: OrderSql, { id, key }: LicenseCursor, sign: ">" | "<", bind: (value: unknown) => string) {
  if (order.key === null || key === null) return `l.id ${sign} ${bind(id)}`;
  return `(${order.key}, l.id) ${sign} (${bind(order.keyValue(key))}, ${bind(id)})`;
}

/** Counts matches up to `atMost`, because counting costs as much as it counts. `resellerId` null: of all live resellers. */
export async function countMatchingLicenses(
  db: Database,
  resellerId: ResellerId | null,
  input: { readonly filter: LicenseFilter; readonly now: Date; readonly atMost: number },
): Promise<number> {
  const { filter } = input;
  const match = await matchLicenses(db, resellerId, filter, input.now);
  const limit = match.bind(input.atMost);
  // Counts in an order that an index serves, like a page.
  const { key, ascending }: OrderSql = orders[availableOrders(filter)[0] ?? "newest"];
  const matching =
    match.text === null
      ? `select from licenses l where ${match.conditions.join(" and ")} limit ${limit}`
      : firstMatches(match, { key, ascending, beyond: null, limit });
  const counted = resellerId === null ? ofAllResellers(matching, `limit ${limit}`) : matching;
  const text = `select count(*)::int as count from (${counted}) matching`;
  const [row] = await db.query(statementOf({ count: int })(text, { name: nameSearch(filter, text) }), match.values);
  return row?.count ?? 0;
}
