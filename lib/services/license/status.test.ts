import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#tests/sql.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getLicenseStatus } from "./status.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

test("of the licenses on an address, the error that asks for one names a hundred at most", async () => {
  const reseller = await world.reseller();
  const ipAddress = world.freshIp();
  await reseller.register({ ip: ipAddress });
  const earlier = `insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, provisioned_at)
                   select left(key, 18) || n, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at - n * interval '40 days',
                          anchored_at - n * interval '40 days' + interval '1 day', provisioned_at
                     from licenses, generate_series($2::int, $3::int) n where ip_address = $1 and length(key) > 24`;
  for (const [from, to] of [
    [1, 99],
    [100, 100],
  ]) {
    await world.db.query(sql(earlier), [ipAddress, from, to]);
    const error = await getLicenseStatus(reseller.context(), { ipAddress }).catch((problem) => problem);
    expect([error.code, Object.keys(error.details).length]).toEqual(["license_ambiguous", 100]);
  }
});
