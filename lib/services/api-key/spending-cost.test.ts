/** What a charge of a key with a spending limit reads depends only on what counts against the limit. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { registerLicense } from "#lib/services/license/register.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { anyLookUp } from "#tests/support/look-up-quota.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { createResellerApiKey } from "./create.ts";
import { createKeyring } from "./keyring.ts";
import { setApiKeySpendingLimit } from "./set-spending-limit.ts";

/** An address that the provider rejects. */
const REJECTED_IP = "192.0.2.10";
let world: World;
beforeAll(async () => {
  // One connection, so that its statistics are complete.
  world = await newWorld({ poolSize: 1 });
});
afterAll(() => world.close());

async function entriesRead(): Promise<number> {
  await world.db.query(sql("select pg_stat_force_next_flush()"), []);
  const text = `select idx_tup_read::int as read from pg_stat_user_indexes where indexrelname = 'operations_by_spending_key'`;
  const [row] = await world.db.query(sql<{ read: number }>(text), []);
  return row?.read ?? expect.unreachable();
}

async function newReseller() {
  const reseller = await world.reseller({ funds: "1000.00" });
  const manager = world.context(actors.user(reseller.id));
  const { apiKey, apiKeyId } = await createResellerApiKey(manager, { name: "shop", scopes: ["licenses:write"] });
  const setLimit = () => setApiKeySpendingLimit(manager, { apiKeyId, limit: "900" });
  const context = async () => {
    const key = await createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), anyLookUp);
    return world.context({ kind: "api_key", ...(key ?? expect.unreachable()) });
  };
  const offer = await world.offer(reseller.id, "control_panel");
  const buy = async (ip: string = world.freshIp()) =>
    registerLicense(await context(), { ...offer, ipAddress: ip as never });
  const suspendOften = async (licenseId: number) => {
    const ctx = await context();
    for (let index = 0; index < 10; index++) {
      await suspendLicense(ctx, { licenseId });
      await unsuspendLicense(ctx, { licenseId });
    }
  };
  return { reseller, setLimit, buy, suspendOften };
}

test("a charge of a key with a limit reads neither its free operations of the month nor the rejected ones", async () => {
  const { setLimit, buy, suspendOften } = await newReseller();
  await setLimit();
  const { licenseId } = await buy();
  await suspendOften(licenseId);
  for (let index = 0; index < 10; index++) expect(await codeOf(buy(REJECTED_IP))).toBe("registration_rejected");
  // Without the dead entries of operations that have ended.
  await world.db.query(sql("vacuum operations"), []);
  const before = await entriesRead();
  await buy();
  const read = (await entriesRead()) - before;
  expect(read).toBeGreaterThan(0);
  // Three versions of each of the three charges.
  expect(read).toBeLessThanOrEqual(9);
});

test("a limit that is set rewrites none of the free operations of the month that have ended", async () => {
  const { reseller, setLimit, buy, suspendOften } = await newReseller();
  await suspendOften((await buy()).licenseId);
  await setLimit();
  const text = `select count(*)::int as count from operations where reseller_id = $1 and spending_key_id is not null`;
  expect(await world.db.query(sql<{ count: number }>(text), [reseller.id])).toEqual([{ count: 1 }]);
});
