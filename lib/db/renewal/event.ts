import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { anyLength } from "#lib/db/connection/any-length.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { jsonObject, timestamp } from "#lib/db/connection/columns.ts";
import { defineList, defineRun } from "#lib/db/connection/define.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { type RenewalFailureReason, renewalFailureKey, renewalFailureReasons } from "#lib/domain/renewal.ts";
import { toTimestamp } from "#lib/domain/times.ts";

const renewalFailureStatement = (kind: "license" | "bundle", column: string, operation: string) =>
  statement(`emit_renewal_failure_${kind}`)`
      insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, once_key, occurred_at)
      select gen_random_uuid(), l.reseller_id, 'license.renewal_failed',
             jsonb_build_object('license_id', 'lic_' || l.id, 'type', p.slug,
                                'server', coalesce(nullif(l.hostname, ''), l.ip_address), 'reason', $2::text) || $5::jsonb,
             l.id, l.bundle_instance_id, o.id, 'license.renewal_failed:' || l.id || ':' || $4 || ':' || $2,
             coalesce(o.settled_at, $3)
        from licenses l join products p on p.id = l.product_id
        left join lateral (select id, settled_at from operations
                            where reseller_id = l.reseller_id and ${operation} = $1 and state = 'rejected'
                              and kind = '${kind}_renew' and created_at >= $6
                            order by created_at desc limit 1) o on true
       where ${column} = $1 and date_trunc('second', l.expires_at) = $4::text::timestamptz
      on conflict (once_key) where once_key is not null do nothing`;
const renewalFailureStatements = {
  license: renewalFailureStatement("license", "l.id", "license_id"),
  bundle: renewalFailureStatement("bundle", "l.bundle_instance_id", "bundle_instance_id"),
};

/**
 * Emits `license.renewal_failed` for a license or for every member of a bundle instance, once per reason and term
 * (`renewalFailureKey`), with the operation that was rejected since `attemptedAt`. Skips a term that has been renewed
 * meanwhile.
 * @param failure.data further fields of the event
 */
export async function emitRenewalFailure(
  db: Database,
  failure: {
    readonly kind: "license" | "bundle";
    readonly id: number;
    readonly reason: RenewalFailureReason;
    readonly termEndsAt: Date;
    readonly data?: Readonly<Record<string, unknown>>;
    readonly attemptedAt: Date;
    readonly now: Date;
  },
): Promise<void> {
  await db.query(renewalFailureStatements[failure.kind], [
    failure.id,
    failure.reason,
    failure.now,
    toTimestamp(failure.termEndsAt),
    JSON.stringify(failure.data ?? {}),
    failure.attemptedAt,
  ]);
}

const renewalFailureRow = { at: timestamp, data: jsonObject };
export type RenewalFailureRow = RowOf<typeof renewalFailureRow>;

/** Each reason why a license's term has not renewed automatically, with its first time; newest first. */
export const listRenewalFailureEvents = defineList("list_renewal_failure_events", renewalFailureRow).values(
  (resellerId: ResellerId, licenseId: number, termEndsAt: Date) => [
    resellerId,
    renewalFailureReasons.map((reason) => renewalFailureKey(licenseId, termEndsAt, reason)),
  ],
)`
      select occurred_at as at, data from events
       where reseller_id = $1 and once_key = any (${anyLength("$2::text[]")}) order by occurred_at desc, sequence desc`;

/** A price above the agreed one, with the data of its event. */
export interface PriceAnnouncement {
  readonly kind: "license" | "bundle";
  readonly id: number;
  /** Version that the price was computed for. */
  readonly version: string;
  /** Minor units. */
  readonly price: bigint;
  readonly data: Readonly<Record<string, unknown>>;
}

const announce = (table: string, kind: string) => `
  update ${table} t set announced_renewal_price = w.price, renewal_price_announced_at = $3
    from (select s.id, w.price, w.data from wanted w join ${table} s on s.id = w.id and s.reseller_id = $1
           where w.kind = '${kind}' and s.xmin::text = w.version and s.terminated_at is null
             and (s.announced_renewal_price is null or s.announced_renewal_price < w.price)
           order by s.id for no key update of s) w
   where t.id = w.id and t.reseller_id = $1
  returning t.id, w.data`;

/**
 * Stores announced prices, and emits `license.expiring_soon` for each license or bundle member, with each price that it
 * stores. Skips prices that have been announced, or exceeded, since the last agreement, and what has changed since it was
 * priced.
 */
export const announcePrices = defineRun("announce_prices").values(
  (resellerId: ResellerId, announcements: readonly PriceAnnouncement[], now: Date) => {
    const wanted = announcements.map(({ price, ...announcement }) => ({ ...announcement, price: price.toString() }));
    return [resellerId, JSON.stringify(wanted), now];
  },
)`
      with wanted as (
        select * from jsonb_to_recordset($2::jsonb) as w (kind text, id int, version text, price bigint, data jsonb)
      ), of_licenses as (${announce("licenses", "license")}
      ), of_bundles as (${announce("bundle_instances", "bundle")}
      ), announced as (
        -- Bundles first, in the order of \`lock_holds\`.
        select l.id as license_id, a.* from of_bundles a join licenses l on l.bundle_instance_id = a.id and l.reseller_id = $1
        union all
        select a.id, a.* from of_licenses a
      )
      insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, occurred_at)
      select gen_random_uuid(), l.reseller_id, 'license.expiring_soon',
             jsonb_build_object('license_id', 'lic_' || l.id, 'type', p.slug,
                                'server', coalesce(nullif(l.hostname, ''), l.ip_address)) || announced.data,
             l.id, l.bundle_instance_id, $3
        from announced join licenses l on l.id = announced.license_id and l.reseller_id = $1 join products p on p.id = l.product_id`;

const updateAutoRenewIn = (
  kind: "license" | "bundle",
  of: {
    readonly table: string;
    readonly condition: string;
    readonly idle: string;
    readonly subject: string;
    readonly label: string;
  },
) =>
  statement(`update_auto_renew_${kind}`)`
      with old as (
        select l.* from ${of.table} l
         where l.id = $1 and l.reseller_id = $2 and l.terminated_at is null ${of.condition}
           and ($8::text is null or l.xmin::text = $8 ${of.idle}) for no key update
      ), changed as (
        update ${of.table} l set auto_renew = $3,
               agreed_renewal_price = coalesce($4, l.agreed_renewal_price),
               announced_renewal_price = case when $4::bigint is null then l.announced_renewal_price end,
               renewal_price_announced_at = case when $4::bigint is null then l.renewal_price_announced_at end
          from old where l.id = old.id and l.reseller_id = old.reseller_id
        returning l.id, l.agreed_renewal_price::text as price, ${of.label} as label, changes_between(
                    jsonb_build_object('autoRenew', old.auto_renew, 'agreedPrice', old.agreed_renewal_price::text),
                    jsonb_build_object('autoRenew', l.auto_renew, 'agreedPrice', l.agreed_renewal_price::text)) as changes
      )
      select id, case when changes <> '{}' then
               write_audit_entry($5, '${kind}.set_auto_renew', $2, '${of.subject}:' || id, '',
                                 jsonb_build_object('changes', changes, 'agreedPrice', price), $6, $7, label) end
        from changed`;
const updateAutoRenewOf = {
  license: updateAutoRenewIn("license", {
    table: "licenses",
    condition: "and l.bundle_instance_id is null",
    idle: "",
    subject: "license",
    label: "coalesce(nullif(l.hostname, ''), l.ip_address)",
  }),
  bundle: updateAutoRenewIn("bundle", {
    table: "bundle_instances",
    condition: "",
    idle: `and not exists (select from licenses m where m.bundle_instance_id = l.id and m.reseller_id = l.reseller_id
                                                   and m.open_operation_id is not null)`,
    subject: "bundle_instance",
    label: "l.ip_address",
  }),
};

/**
 * Switches auto-renew at an agreed price, with an audit entry of what changed. False: the reseller has no such license or
 * instance, it cannot renew separately, or it has changed since `seenVersion`.
 */
export async function updateAutoRenew(
  db: Database,
  target: {
    readonly kind: "license" | "bundle";
    readonly id: number;
    readonly resellerId: number;
    readonly on: boolean;
    /** Minor units; null: no price was shown. */
    readonly agreedPrice: bigint | null;
    /** Version that was read; an instance's members must also be idle. Null: any. */
    readonly seenVersion: string | null;
  },
  by: ChangedBy,
): Promise<boolean> {
  const { kind, id, resellerId, on, agreedPrice, seenVersion } = target;
  const values = [id, resellerId, on, agreedPrice, ...changeValues(by), seenVersion];
  const rows = await db.query(updateAutoRenewOf[kind], values);
  return rows.length === 1;
}
