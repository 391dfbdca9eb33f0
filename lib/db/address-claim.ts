import type { Database } from "./client.ts";

export interface LicensePlace {
  readonly productId: number;
  readonly ipAddress: string;
}

/** Those of the places that a live license, or an operation in flight, has a right to from now on (decisions 3.3). */
export async function listTakenPlaces(
  db: Database,
  places: readonly LicensePlace[],
  now: Date,
): Promise<LicensePlace[]> {
  return db.query<LicensePlace>({
    name: "list_taken_places",
    text: `
      select distinct p.product_id as "productId", p.ip_address as "ipAddress"
        from unnest($1::int[], $2::text[]) as p (product_id, ip_address)
        join address_claims c on c.product_id = p.product_id and c.ip_address = p.ip_address
         and tstzrange(c.valid_from, c.valid_until) && tstzrange($3, null)`,
    values: [places.map(({ productId }) => productId), places.map(({ ipAddress }) => ipAddress), now],
  });
}
