import { afterAll, beforeAll, expect, test } from "vitest";
import { createReseller } from "#lib/services/reseller/create.ts";
import { listResellers } from "#lib/services/reseller/list.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { type AuditFilter, listAuditLog } from "./list.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
  for (const [name, email] of [
    ["Northwind Hosting", "desk@northwind.example"],
    ["100% Uptime", "desk@uptime.example"],
    ["Bluebird", "north@bluebird.example"],
  ] as const) {
    await createReseller(world.operator, { name, email, currency: "USD" });
  }
});
afterAll(() => world.close());

async function concerned(filter: AuditFilter): Promise<(string | null)[]> {
  const { entries } = await listAuditLog(world.operator, { filter, before: null, limit: 50 });
  return entries.map(({ resellerName }) => resellerName);
}

test("a reseller's log has only the entries that concern it", async () => {
  const [bluebird] = await listResellers(world.operator).then((all) => all.filter(({ name }) => name === "Bluebird"));
  expect(await concerned({ resellerId: bluebird?.resellerId })).toEqual(["Bluebird"]);
  expect(await concerned({ resellerId: 2_147_483_647 })).toEqual([]);
  expect(await concerned({})).toHaveLength(3);
});
