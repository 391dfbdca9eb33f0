import { as, boolean, int, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineFind, defineGetValue, defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import { priceTerms, priceTermsColumns } from "#lib/db/renewal/price-columns.ts";
import type { BundleInstanceId, CycleId, OperationId, ResellerId } from "#lib/domain/ids.ts";

const bundleInstanceRow = {
  ...priceTerms,
  id: as<BundleInstanceId>(int),
  bundleId: int,
  name: text,
  cycleId: as<CycleId>(int),
  cycleMonths: int,
  ipAddress: text,
  issuedAt: timestamp,
  anchoredAt: timestamp,
  expiresAt: timestamp,
  provisionedAt: nullable(timestamp),
  terminatedAt: nullable(timestamp),
  autoRenew: boolean,
  openOperationId: nullable(as<OperationId>(text)),
  /** Changes with every update of the row. */
  version: text,
};
export type BundleInstanceRow = RowOf<typeof bundleInstanceRow>;

const instanceQuery = `
  select b.id, b.bundle_id as "bundleId", d.name, b.cycle_id as "cycleId", c.months as "cycleMonths",
         b.ip_address as "ipAddress", b.issued_at as "issuedAt", b.anchored_at as "anchoredAt",
         b.expires_at as "expiresAt", b.provisioned_at as "provisionedAt", b.terminated_at as "terminatedAt",
         b.auto_renew as "autoRenew", ${priceTermsColumns("b")}, b.open_operation_id as "openOperationId",
         b.xmin::text as version
    from bundle_instances b join bundles d on d.id = b.bundle_id join billing_cycles c on c.id = b.cycle_id`;

export const findBundleInstance = defineFind("find_bundle_instance", bundleInstanceRow)<
  [resellerId: ResellerId, id: number]
>`
      ${instanceQuery} where b.id = $2 and b.reseller_id = $1`;

/** Stops counting at `limit`. */
export const countBundleInstances = defineGetValue("count_bundle_instances", { count: int })<
  [resellerId: ResellerId, limit: number]
>`
      select count(*)::int as count from (select from bundle_instances where reseller_id = $1 limit $2) b`;

/** Newest first. `before`: older than this id. */
export const listBundleInstances = defineList("list_bundle_instances", bundleInstanceRow).values(
  (resellerId: ResellerId, page: { readonly before: number | null; readonly limit: number }) => [
    resellerId,
    page.before,
    page.limit,
  ],
)`${instanceQuery} where b.reseller_id = $1 and ($2::int is null or b.id < $2) order by b.id desc limit $3`;
