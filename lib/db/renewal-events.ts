import type { RenewalFailureReason } from "#lib/domain/renewal.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import type { Database } from "./client.ts";

/**
 * Tells `license.renewal_failed` of a license, or of every member of a bundle instance: once for each reason and term
 * (`renewalFailureKey`).
 */
export async function tellRenewalFailure(
  db: Database,
  failure: {
    readonly kind: "license" | "bundle";
    readonly id: number;
    readonly reason: RenewalFailureReason;
    /** The end of the term that was not renewed. */
    readonly termEndsAt: Date;
    readonly now: Date;
  },
): Promise<void> {
  await db.query({
    name: `tell_renewal_failure_${failure.kind}`,
    text: `
      insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, once_key, occurred_at)
      select gen_random_uuid(), l.reseller_id, 'license.renewal_failed',
             jsonb_build_object('license_id', 'lic_' || l.id, 'type', p.slug,
                                'server', coalesce(nullif(l.hostname, ''), l.ip_address), 'reason', $2::text),
             l.id, l.bundle_instance_id, 'license.renewal_failed:' || l.id || ':' || $4 || ':' || $2, $3
        from licenses l join products p on p.id = l.product_id
       where ${failure.kind === "license" ? "l.id" : "l.bundle_instance_id"} = $1
      on conflict (once_key) do nothing`,
    values: [failure.id, failure.reason, failure.now, toTimestamp(failure.termEndsAt)],
  });
}

/** Switches automatic renewal. False: the reseller has no such license or instance that could renew by itself. */
export async function updateAutoRenew(
  db: Database,
  target: {
    readonly kind: "license" | "bundle";
    readonly id: number;
    readonly resellerId: number;
    readonly on: boolean;
  },
): Promise<boolean> {
  const { kind, id, resellerId, on } = target;
  const rows = await db.query({
    name: `update_auto_renew_${kind}`,
    text: `update ${kind === "license" ? "licenses" : "bundle_instances"} set auto_renew = $3
            where id = $1 and reseller_id = $2 and terminated_at is null
              ${kind === "license" ? "and bundle_instance_id is null" : ""} returning id`,
    values: [id, resellerId, on],
  });
  return rows.length === 1;
}
