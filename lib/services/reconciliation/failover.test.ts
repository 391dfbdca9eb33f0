/** Failover to a standby that lacks the primary's last transactions, which the provider has executed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CaseAction, CaseKind } from "#lib/domain/reconciliation.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { copyTestDatabase } from "#tests/database-copy.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { createInbox, REASON } from "#tests/support/inbox.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { createResellerWorld, type ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { actOnCase } from "./act.ts";
import { getCase } from "./get-case.ts";

const EACH = 5;

let primary: World;
let standby: World;
let lostKeys: string[];
let resellerId: ResellerWorld["id"];

async function registerBundleOf(world: World, reseller: ResellerWorld) {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  return instance;
}

/** The primary's changes missing on the standby, by license key. */
async function doWhatIsLost(world: World, reseller: ResellerWorld, ids: Awaited<ReturnType<typeof prepare>>) {
  const ctx = reseller.context();
  const keys: string[] = [];
  const change = async (of: readonly number[], run: (licenseId: number) => Promise<unknown>) => {
    for (const licenseId of of) {
      world.advance(10);
      await run(licenseId);
      keys.push((await reseller.license(licenseId)).key);
    }
  };
  await change(ids.renew, (licenseId) => renewLicense(ctx, { licenseId }));
  await change(ids.move, (licenseId) => changeLicenseIp(ctx, { licenseId, newIp: world.freshIp() }));
  await change(ids.grow, (licenseId) => changeLicenseCores(ctx, { licenseId, cores: 4 }));
  await change(ids.suspend, (licenseId) => suspendLicense(ctx, { licenseId }));
  await change(ids.unsuspend, (licenseId) => unsuspendLicense(ctx, { licenseId }));
  await change(ids.end, (licenseId) => terminateLicense(world.context(actors.user(reseller.id)), { licenseId }));
  for (let n = 0; n < EACH; n += 1) keys.push((await reseller.register()).licenseKey);
  const [renewed, moved] = ids.bundles;
  if (renewed) await renewBundle(ctx, { bundleInstanceId: renewed.id });
  if (moved) await changeBundleIp(ctx, { bundleInstanceId: moved.id, newIp: world.freshIp() });
  for (const instance of [renewed, moved, await registerBundleOf(world, reseller)]) {
    keys.push(...(instance?.members.map(({ key }) => key) ?? []));
  }
  return keys;
}

async function prepare(world: World, reseller: ResellerWorld) {
  const register = async (type?: string) => {
    const ids: number[] = [];
    for (let n = 0; n < EACH; n += 1) ids.push((await reseller.register(type ? { type } : {})).licenseId);
    return ids;
  };
  const ids = {
    renew: await register(),
    move: await register(),
    grow: await register("web_server"),
    suspend: await register(),
    unsuspend: await register(),
    end: await register(),
    untouched: await register(),
    bundles: [await registerBundleOf(world, reseller), await registerBundleOf(world, reseller)],
  };
  world.advance(1_000);
  for (const licenseId of ids.unsuspend) await suspendLicense(reseller.context(), { licenseId });
  world.advance(1_000);
  return ids;
}

/** The provider's books survive the failover. */
async function keepProvidersBooks(from: World, to: World): Promise<void> {
  for (const table of ["sandbox_provider_licenses", "sandbox_provider_requests"]) {
    const rows = await from.db.query(sql(`select to_jsonb(t) as row from ${table} t`), []);
    await to.db.query(sql(`delete from ${table}`), []);
    await to.db.query(
      sql(
        `insert into ${table} select r.* from jsonb_array_elements($1::jsonb) e, jsonb_populate_record(null::${table}, e -> 'row') r`,
      ),
      [JSON.stringify(rows)],
    );
  }
}

beforeAll(async () => {
  const before = await newWorld();
  const reseller = await before.reseller({ funds: "10000" });
  resellerId = reseller.id;
  const ids = await prepare(before, reseller);
  const now = before.now();
  const database = await before.leave();
  const copy = await copyTestDatabase(database.url);
  primary = await newWorld({ database, firstAddress: 1_000 });
  standby = await newWorld({ database: copy, firstAddress: 2_000 });
  primary.setClock(now);
  lostKeys = await doWhatIsLost(primary, createResellerWorld(primary, resellerId), ids);
  await keepProvidersBooks(primary, standby);
  standby.setClock(new Date(primary.now().getTime() + 2_000));
}, 60_000);
afterAll(async () => {
  await primary.close();
  await standby.close();
});

test("exactly the lost changes become cases, and each can be closed", async () => {
  const inbox = createInbox(standby);
  await inbox.compare();
  const cases = await inbox.openCases();
  expect(cases.map(({ reference }) => reference).toSorted()).toEqual(lostKeys.toSorted());
  expect(lostKeys).toHaveLength(7 * EACH + 9);
  const counts: Partial<Record<CaseKind, number>> = {};
  for (const { kind } of cases) counts[kind] = (counts[kind] ?? 0) + 1;
  expect(counts).toEqual({ unknown_at_ours: EACH + 3, charged_not_provisioned: EACH, differs: 5 * EACH + 6 });
  for (const { kind, value } of cases) {
    expect(value, kind).toMatchObject({ amount: expect.stringMatching(/^\d+$/), currency: "USD" });
  }

  // Unpaid terms and cores are charged; a bundle's address can only be corrected at the provider.
  const preferred: readonly CaseAction[] = ["charge", "adopt", "correct"];
  standby.advance(1_000);
  for (const { id } of cases) {
    const { details, actions } = await getCase(inbox.admin(), { caseId: id });
    if (details.resolvedAt !== null) continue;
    const action = preferred.find((name) => actions.find((offer) => offer.action === name)?.rule.possible);
    if (!action) throw new Error(`nothing can be done about ${details.kind}`);
    await actOnCase(inbox.admin(), { caseId: id, action, reason: REASON });
  }
  await inbox.compare();
  expect(await inbox.openCases()).toEqual([]);
  await expectBooksToAgree(standby.db);

  const ended = await standby.db.query(
    sql("select from sandbox_provider_licenses where reference = any ($1) and state = 'terminated'"),
    [cases.filter(({ kind }) => kind === "unknown_at_ours").map(({ reference }) => reference)],
  );
  expect(ended).toHaveLength(EACH + 3);
});
