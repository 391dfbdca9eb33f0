import { afterAll, beforeAll, expect, test } from "vitest";
import { registerLicense } from "#lib/services/license/register.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { previewCharge } from "./preview-charge.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller();
});
afterAll(() => world.close());

/** A registration and its preview, at a provider with a share of two places for the reseller. */
async function requests() {
  const provider = { ...world.provider, addressLookupLimit: 4 };
  const ctx = reseller.context({ providers: new Map([[provider.name, provider]]) });
  const offer = await world.offer(reseller.id, "control_panel");
  const register = (context: typeof ctx) => registerLicense(context, { ...offer, ipAddress: world.freshIp() });
  return { preview: () => previewCharge(ctx, register), send: () => register(ctx) };
}

const age = (minutes: number) =>
  world.db.query(
    sql("update provider_lookups set begun_at = begun_at - make_interval(mins => $2) where reseller_id = $1"),
    [reseller.id, minutes],
  );

test("what a process that died had under way takes no place of a reseller's share after a quarter of an hour", async () => {
  const { preview, send } = await requests();
  await send();
  await world.db.query(sql("update provider_lookups set under_way = 2 where reseller_id = $1"), [reseller.id]);
  await age(14);
  expect([await codeOf(preview()), await codeOf(send())]).toEqual(["rate_limited", "rate_limited"]);
  await age(2);
  expect(await preview()).toMatchObject({ price: 1450n });
  expect(await send()).toMatchObject({ pending: false });
  const rows = await world.db.query(sql<{ under_way: number }>("select under_way from provider_lookups"), []);
  expect(rows).toEqual([{ under_way: 0 }]);
});
