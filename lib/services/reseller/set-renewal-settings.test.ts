import { afterAll, beforeAll, expect, test } from "vitest";
import { newWorld, type World } from "#tests/support/world.ts";
import { setRenewalSettings } from "./set-renewal-settings.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

test("given settings change, others stay, and the audit log has the author", async () => {
  const { id: resellerId } = await world.reseller();
  await setRenewalSettings(world.operator, { resellerId, expiringSoonDays: [30, 7, 1] });
  expect(await setRenewalSettings(world.operator, { resellerId, renewAheadDays: 5 })).toEqual({
    expiringSoonDays: [30, 7, 1],
    renewAheadDays: 5,
  });
  const audit = await world.db.prisma.auditEntry.findMany({
    where: { resellerId, action: "reseller.set_renewal_settings" },
    orderBy: { id: "asc" },
  });
  expect(audit.map(({ action, actor }) => [action, actor])).toEqual([
    ["reseller.set_renewal_settings", "system:test"],
    ["reseller.set_renewal_settings", "system:test"],
  ]);
});

test.each([
  { expiringSoonDays: [0] },
  { expiringSoonDays: [91] },
  { expiringSoonDays: [1, 2, 3, 4, 5, 6] },
  { renewAheadDays: 0 },
  { renewAheadDays: 91 },
])("%j is rejected and changes nothing", async (change) => {
  const { id: resellerId } = await world.reseller();
  await expect(setRenewalSettings(world.operator, { resellerId, ...change })).rejects.toMatchObject({
    code: "parameters_invalid",
  });
  const reseller = await world.db.prisma.reseller.findUniqueOrThrow({ where: { id: resellerId } });
  expect(reseller).toMatchObject({ expiringSoonDays: [14, 3], renewAheadDays: 3 });
});

test("a missing reseller is not found", async () => {
  await expect(
    setRenewalSettings(world.operator, { resellerId: 999_999 as never, renewAheadDays: 2 }),
  ).rejects.toMatchObject({ code: "not_found" });
});
