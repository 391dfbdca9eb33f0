import { columnsOf } from "#lib/db/connection/collected-rows.ts";
import { as, boolean, int, text } from "#lib/db/connection/columns.ts";
import { defineFind, defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";

const licensePlace = { productId: int, ipAddress: text };
export type LicensePlace = RowOf<typeof licensePlace>;

const takenPlace = {
  ...licensePlace /** The reseller's own license has it. */,
  isOwn: boolean,
};
export type TakenPlace = RowOf<typeof takenPlace>;

/** The places that a live license or an open operation claims from now on (contract 3.3). */
export const listTakenPlaces = defineList("list_taken_places", takenPlace).values(
  (resellerId: ResellerId, places: readonly LicensePlace[], now: Date) => [
    ...columnsOf(places, "productId", "ipAddress"),
    now,
    resellerId,
  ],
)`
      select p.product_id as "productId", p.ip_address as "ipAddress", bool_and(l.reseller_id = $4) as "isOwn"
        from unnest($1::int[], $2::text[]) as p (product_id, ip_address)
        join address_claims c on c.sandbox_id = sandbox_of($4) and c.product_id = p.product_id and c.ip_address::inet = p.ip_address::inet
         and tstzrange(c.valid_from, c.valid_until) && tstzrange($3, null)
        join licenses l on l.id = c.license_id and l.reseller_id = c.reseller_id
       group by p.product_id, p.ip_address`;

/** An address for a product, or for a license's product. */
export type ClaimedPlace = { readonly ip_address: string } & (
  | { readonly product_id: number }
  | { readonly license_id: number }
);

const claimHolder = {
  licenseId: as<LicenseId>(int),
  isOwn: boolean,
  isSuspended: boolean,
  productId: int,
  productName: text,
};
export type ClaimHolder = RowOf<typeof claimHolder>;

/** The license that claims one of the places, now or later; another reseller's before an own one. */
export const findClaimHolder = defineFind("find_claim_holder", claimHolder).values(
  (resellerId: ResellerId, places: readonly ClaimedPlace[], now: Date) => [
    resellerId,
    JSON.stringify(places, ["product_id", "license_id", "ip_address"]),
    now,
  ],
)`
      select l.id as "licenseId", l.reseller_id = $1 as "isOwn", l.suspended_at is not null as "isSuspended",
             d.id as "productId", d.name as "productName"
        from jsonb_to_recordset($2::jsonb) as p (product_id int, license_id int, ip_address text)
        left join licenses w on w.id = p.license_id and w.reseller_id = $1
        join address_claims c on c.sandbox_id = sandbox_of($1) and c.product_id = coalesce(p.product_id, w.product_id) and c.ip_address::inet = p.ip_address::inet
         and c.valid_until > $3
        join licenses l on l.id = c.license_id and l.reseller_id = c.reseller_id
        join products d on d.id = c.product_id
       where l.id is distinct from w.id
       order by l.reseller_id = $1, l.id limit 1`;
