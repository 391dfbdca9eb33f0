import type { Ipv4 } from "#lib/domain/ipv4.ts";
import type { Database } from "./client.ts";
import type { LicenseRow } from "./license.ts";

/**
 * The ids of those licenses that may not move to the address now, because another of their product has the right to it
 * before their terms end (decisions 3.3), whoever owns that one. The same rule as the constraint on `address_claims`.
 */
export async function listClashingLicenses(
  db: Database,
  ipAddress: Ipv4,
  licenses: readonly LicenseRow[],
  now: Date,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>({
    name: "list_clashing_licenses",
    text: `
      select w.id from unnest($2::int[], $3::int[], $4::timestamptz[]) as w (id, product_id, expires_at)
       where exists (
         select from address_claims c
          where c.product_id = w.product_id and c.ip_address = $1 and c.license_id <> w.id
            and tstzrange(c.valid_from, c.valid_until) && tstzrange($5, greatest($5, w.expires_at)))`,
    values: [
      ipAddress,
      licenses.map(({ id }) => id),
      licenses.map(({ productId }) => productId),
      licenses.map(({ expiresAt }) => expiresAt),
      now,
    ],
  });
  return rows.map(({ id }) => id);
}
