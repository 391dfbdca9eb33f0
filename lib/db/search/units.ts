import { defineList } from "#lib/db/connection/define.ts";
import { bundleLabel, licenseLabel } from "#lib/db/operation/subject-label.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { foundUnitRow, MAX_FOUND, ofReseller, resellerColumns } from "./found.ts";

const licenseColumns = `l.id::text as id, ${licenseLabel("l", "p")} as label,
             l.ip_address || ' · ' || l.key as detail, l.notes, ${resellerColumns}, l.expires_at as "expiresAt",
             l.provisioned_at as "provisionedAt", l.suspended_at as "suspendedAt", l.terminated_at as "terminatedAt"`;

/** The given licenses, in this order. `resellerId` null: any. */
export const readFoundLicenses = defineList("find_listed_licenses", foundUnitRow)<
  [resellerId: ResellerId | null, ids: readonly number[]]
>`
      select ${licenseColumns}
        from unnest($2::int[]) with ordinality listed (id, place)
        join licenses l on l.id = listed.id join products p on p.id = l.product_id join resellers r on r.id = l.reseller_id
       where ${ofReseller} order by listed.place`;

/** By id, address, or (of one reseller) by its name. `resellerId` null: any. */
export const findBundleInstances = defineList("find_bundles", foundUnitRow).values(
  (
    resellerId: ResellerId | null,
    names: { readonly id: number | null; readonly address: string | null; readonly patterns: readonly string[] },
  ) => [resellerId, names.id, names.address, names.patterns],
)`
      with named (id) as (
        select id from bundle_instances where id = $2
        union
        (select m.bundle_instance_id from resellers r
          cross join lateral (
            select bundle_instance_id from licenses
             where reseller_id = r.id and ip_address::inet = $3::inet and bundle_instance_id is not null limit ${String(MAX_FOUND)}) m
          where ${ofReseller})
        union
        (select id from bundle_instances
          where reseller_id = $1 and cardinality($4::text[]) > 0
            and bundle_id in (select id from bundles where name ilike all ($4)) order by id desc limit ${String(MAX_FOUND)})
      )
      select b.id::text as id, ${bundleLabel("b", "d")} as label, b.ip_address || ' · bundle ' || b.id as detail, '' as notes,
             ${resellerColumns}, b.expires_at as "expiresAt", b.provisioned_at as "provisionedAt",
             null::timestamptz as "suspendedAt", b.terminated_at as "terminatedAt"
        from named join bundle_instances b on b.id = named.id join bundles d on d.id = b.bundle_id join resellers r on r.id = b.reseller_id
       where ${ofReseller} order by b.id = $2 desc, b.id desc limit ${String(MAX_FOUND)}`;
