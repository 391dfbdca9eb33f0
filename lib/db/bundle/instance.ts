import type { Database } from "#lib/db/connection/client.ts";
import { priceTermsColumns } from "#lib/db/renewal/price-columns.ts";
import type { BundleInstanceId, CycleId, ResellerId } from "#lib/domain/ids.ts";
import type { AgreedRenewalPrice } from "#lib/domain/renewal-price.ts";

export interface BundleInstanceRow extends AgreedRenewalPrice {
  readonly id: BundleInstanceId;
  readonly bundleId: number;
  readonly name: string;
  readonly cycleId: CycleId;
  readonly cycleMonths: number;
  readonly ipAddress: string;
  readonly issuedAt: Date;
  readonly anchoredAt: Date;
  readonly expiresAt: Date;
  readonly provisionedAt: Date | null;
  readonly terminatedAt: Date | null;
  readonly autoRenew: boolean;
  readonly openOperationId: string | null;
}

const instanceQuery = `
  select b.id, b.bundle_id as "bundleId", d.name, b.cycle_id as "cycleId", c.months as "cycleMonths",
         b.ip_address as "ipAddress", b.issued_at as "issuedAt", b.anchored_at as "anchoredAt",
         b.expires_at as "expiresAt", b.provisioned_at as "provisionedAt", b.terminated_at as "terminatedAt",
         b.auto_renew as "autoRenew", ${priceTermsColumns("b")}, b.open_operation_id as "openOperationId"
    from bundle_instances b join bundles d on d.id = b.bundle_id join billing_cycles c on c.id = b.cycle_id`;

export async function findBundleInstance(
  db: Database,
  resellerId: ResellerId,
  id: number,
): Promise<BundleInstanceRow | null> {
  const [row] = await db.query<BundleInstanceRow>({
    name: "find_bundle_instance",
    text: `${instanceQuery} where b.id = $1 and b.reseller_id = $2`,
    values: [id, resellerId],
  });
  return row ?? null;
}

/** Up to `limit`. */
export async function countBundleInstances(db: Database, resellerId: ResellerId, limit: number): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    name: "count_bundle_instances",
    text: "select count(*)::int as count from (select from bundle_instances where reseller_id = $1 limit $2) b",
    values: [resellerId, limit],
  });
  return row?.count ?? 0;
}

/** Newest first; `before`: instances older than this id. */
export async function listBundleInstances(
  db: Database,
  resellerId: ResellerId,
  page: { readonly before: number | null; readonly limit: number },
): Promise<BundleInstanceRow[]> {
  return db.query<BundleInstanceRow>({
    name: "list_bundle_instances",
    text: `${instanceQuery} where b.reseller_id = $1 and ($2::int is null or b.id < $2) order by b.id desc limit $3`,
    values: [resellerId, page.before, page.limit],
  });
}
