import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { buyBundle, fillServer, occupy } from "#tests/support/server.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { planRelocation } from "./plan.ts";
import { startRelocation } from "./start.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

const person = () => world.context(actors.user(reseller.id));
const furnish = (options: Parameters<typeof fillServer>[2] = {}) => fillServer(world, reseller, options);

describe("the dry run", () => {
  test("lists all licenses on the address with their obstacles, and changes nothing", async () => {
    const { from, ids } = await furnish({ types: ["hardened_kernel"] });
    const bundle = await buyBundle(world, reseller, from);
    await suspendLicense(reseller.context(), { licenseId: ids[0] as number });
    const money = await reseller.spendable();
    const operations = (await reseller.operations()).length;
    const { units } = await planRelocation(person(), { from, to: world.freshIp() });
    expect(units.map(({ name, bundleInstanceId, obstacle }) => ({ name, bundleInstanceId, obstacle }))).toEqual([
      { name: "Hardened Kernel", bundleInstanceId: null, obstacle: null },
      { name: "Performance Server", bundleInstanceId: bundle.id, obstacle: null },
    ]);
    expect(units[1]?.licenses.map(({ id }) => id)).toEqual(bundle.members.map(({ id }) => id));
    expect(await reseller.spendable()).toBe(money);
    expect(await reseller.operations()).toHaveLength(operations);
  });

  test("reports licenses that are expired, pending or busy", async () => {
    const { from, ids } = await furnish();
    const [expired, pending, busy] = ids;
    const set = (id: number | undefined, change: string) =>
      world.db.query(sql(`update licenses set ${change} where id = $1`), [id]);
    await set(expired, "anchored_at = '2026-01-01', expires_at = '2026-02-01'");
    await set(pending, "provisioned_at = null");
    const [operation] = await reseller.operations();
    await set(busy, `open_operation_id = '${operation?.id}'`);
    const plan = await planRelocation(person(), { from, to: world.freshIp() });
    expect(plan.units.map(({ obstacle }) => obstacle)).toEqual(["expired", "pending", "busy"]);
    expect(await codeOf(startRelocation(person(), { from, to: world.freshIp() }))).toBe("state_invalid");
  });

  test("reports clashes on the new address, names only the reseller's own, and does not start", async () => {
    const { from } = await furnish();
    const to = world.freshIp();
    await occupy(world, to, "web_server");
    const own = await reseller.register({ type: "malware_scanner", ip: to });
    const { units } = await planRelocation(person(), { from, to });
    expect(units.map(({ obstacle, ownBlockerIds }) => [obstacle, ownBlockerIds])).toEqual([
      [null, []],
      ["address_taken", []],
      ["address_taken", [own.licenseId]],
    ]);
    expect(await codeOf(startRelocation(person(), { from, to }))).toBe("ip_change_address_taken");
  });

  test("shows nothing of other resellers, and rejects the same address", async () => {
    const { from } = await furnish();
    reseller = await world.reseller();
    expect(await planRelocation(person(), { from, to: world.freshIp() })).toMatchObject({ units: [] });
    expect(await codeOf(planRelocation(person(), { from, to: from }))).toBe("parameters_invalid");
  });
});
