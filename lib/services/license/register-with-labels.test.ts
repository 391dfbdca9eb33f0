import { afterAll, beforeAll, expect, test } from "vitest";
import type { Labels } from "#lib/domain/labels.ts";
import { actors } from "#tests/support/actors.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { registerLicenseWithLabels } from "./register-with-labels.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

const customer = { customerName: "Fjord Bakery", customerEmail: "it@fjord.example", customerReference: "C-1042" };

async function register(labels: Labels) {
  const reseller = await world.reseller();
  const { productId, cycle } = await world.offer(reseller.id, "control_panel");
  const input = { productId, cycleId: cycle.cycleId, ipAddress: world.freshIp(), cores: 1, agreedPrice: cycle.price };
  const ctx = world.context(actors.user(reseller.id));
  const registered = await registerLicenseWithLabels(ctx, { ...input, labels });
  const license = await world.db.prisma.license.findFirstOrThrow({ where: { id: registered.licenseId } });
  return { ...registered, license, entries: await reseller.entries(), price: cycle.price };
}

test("a license has its customer and tags at once", async () => {
  const { missingLabels, license } = await register({ ...customer, tags: ["eu", "vip"] });
  expect(missingLabels).toBeNull();
  expect(license).toMatchObject({ ...customer, tags: ["eu", "vip"] });
});

test("labels that are refused leave the license registered and charged once, and the refusal is returned", async () => {
  const tags = Array.from({ length: 11 }, (_, number) => `tag ${number}`);
  const { missingLabels, license, entries, price } = await register({ ...customer, tags });
  expect(missingLabels).toMatch(/at most 10 tags/);
  expect(license).toMatchObject({ provisionedAt: expect.any(Date), customerName: "", tags: [] });
  expect(entries).toEqual([100_000n, -price]);
});
