import { afterAll, beforeAll, expect, test } from "vitest";
import type { LicenseBulkChange } from "#lib/domain/bulk-license.ts";
import type { ResellerRole } from "#lib/domain/roles.ts";
import { actors } from "#tests/support/actors.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { quoteLicenseBulk } from "./quote-licenses.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

test("only the quote of a charge has the balance", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register();
  const selection = { licenseIds: [licenseId] };
  const { posted, held, currency } = await reseller.wallet();
  const quoteAs = (role: ResellerRole, change: LicenseBulkChange) =>
    quoteLicenseBulk(world.context(actors.user(reseller.id, role)), { change, selection });
  expect((await quoteAs("owner", { kind: "renew" })).funds?.spendable).toBe(posted - held);
  const customer = { customerName: "A", customerEmail: "", customerReference: "" };
  const free: readonly LicenseBulkChange[] = [
    { kind: "suspend", reason: "" },
    { kind: "unsuspend" },
    { kind: "set_notes", notes: "moved" },
    { kind: "set_customer", ...customer },
    { kind: "add_tags", tags: ["eu"] },
    { kind: "remove_tags", tags: ["eu"] },
  ];
  const money = { total: 0n, currency, funds: null };
  for (const change of free) {
    expect(await quoteAs("support", change), change.kind).toMatchObject(money);
  }
  for (const change of [{ kind: "terminate" }, { kind: "set_auto_renew", on: true }] as const) {
    expect(await quoteAs("owner", change), change.kind).toMatchObject(money);
  }
});
