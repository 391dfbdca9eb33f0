import { afterAll, beforeAll, expect, test } from "vitest";
import { createReseller } from "#lib/services/reseller/create.ts";
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

test("the log is found by part of a reseller's name or email address, in any case and as it stands", async () => {
  expect(await concerned({ reseller: "NORTH" })).toEqual(["Bluebird", "Northwind Hosting"]);
  expect(await concerned({ reseller: "@bluebird" })).toEqual(["Bluebird"]);
  expect(await concerned({ reseller: "0%" })).toEqual(["100% Uptime"]);
  expect(await concerned({ reseller: "nobody" })).toEqual([]);
  expect(await concerned({})).toHaveLength(3);
});
