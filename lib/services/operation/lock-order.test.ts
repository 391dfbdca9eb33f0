/** Changes lock bundles, then licenses, then wallets, as lists of holds do: a deadlock would roll back a whole list. */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { LicenseId } from "#lib/domain/ids.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { advanceLicense } from "#lib/services/sandbox/advance.ts";
import { resetSandbox } from "#lib/services/sandbox/reset.ts";
import { sql } from "#tests/sql.ts";
import { placeLicense, rehearsed } from "#tests/support/faults.ts";
import { createInbox, type Inbox } from "#tests/support/inbox.ts";
import { expectNoDeadlock, whileLocked } from "#tests/support/locks.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf, userOf } from "#tests/support/sandbox.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
let inbox: Inbox;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  inbox = createInbox(world);
});
beforeEach(async () => {
  reseller = await inbox.begin();
});
afterAll(() => world.close());

const BUNDLE_THEN_MEMBERS = [
  "select from bundle_instances where id = $1",
  "select from licenses where bundle_instance_id = $1 order by id",
] as const;

async function newBundle() {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  world.advance(1_000);
  return { ...instance, keys: instance.members.map(({ key }) => key) };
}

test("ending a bundle and restoring it", async () => {
  const { id, keys } = await newBundle();
  const books = "select * from sandbox_provider_licenses where reference = any ($1)";
  await world.db.query(sql(`create table kept_books as ${books.replace("$1", `'{${keys.join()}}'`)}`), []);
  await inbox.editBooks("delete from sandbox_provider_licenses where reference = any ($1)", [keys]);
  await inbox.compare();
  const [lost] = await inbox.openCases();
  await expectNoDeadlock(world.db, BUNDLE_THEN_MEMBERS, id, () => inbox.act(lost?.id ?? 0, "refund"));
  await inbox.editBooks("insert into sandbox_provider_licenses select * from kept_books", []);
  await inbox.compare();
  const [back] = await inbox.openCases();
  await expectNoDeadlock(world.db, BUNDLE_THEN_MEMBERS, id, () => inbox.act(back?.id ?? 0, "adopt"));
});

/** The provider has a later end. */
async function withLaterTerm() {
  const { id, keys } = await newBundle();
  await renewBundle(reseller.context(), { bundleInstanceId: id });
  for (const key of keys) await inbox.endTerm(key, 1);
  await inbox.compare();
  return id;
}

test("taking over a bundle's term", async () => {
  const id = await withLaterTerm();
  const [found] = await inbox.openCases();
  await expectNoDeadlock(world.db, BUNDLE_THEN_MEMBERS, id, () => inbox.act(found?.id ?? 0, "adopt"));
});

/** Renewed after its renewal was taken as rejected. */
async function withLateRenewal() {
  const { id, members, keys, ipAddress } = await newBundle();
  const place = (address: string) => Promise.all(members.map((member) => placeLicense(world, member.id, address)));
  await place(rehearsed.losesRequest);
  world.advance(1_000);
  await renewBundle(reseller.context(), { bundleInstanceId: id });
  await inbox.refuseWhatWasLost();
  await place(ipAddress);
  for (const key of keys) await inbox.endTerm(key, 1);
  await inbox.compare();
}

test.each([
  ["a term", "differs", withLaterTerm],
  ["a late renewal", "late_success", withLateRenewal],
])(
  "of two admins who take over %s of one bundle through different members' cases, the second gets a conflict at once",
  async (_, kind, begin) => {
    await begin();
    const cases = await inbox.openCases();
    expect(new Set(cases.map((found) => found.kind))).toEqual(new Set([kind]));
    const [first, ...others] = cases.map(({ id }) => id);
    const decisions = await whileLocked(
      "lock table audit_entries in share row exclusive mode",
      async () => {
        const decided = [first, others.at(-1)].map((id) => outcomeOf(inbox.act(id ?? 0, "adopt")));
        // Each has what it takes first.
        await vi.waitFor(async () => expect(await countWaiting()).toBe(2));
        return decided;
      },
      world.url,
    );
    // PostgreSQL needs a second to find a deadlock.
    expect(await Promise.race([Promise.all(decisions), setTimeout(900)])).toEqual(
      expect.arrayContaining(["done", "conflict"]),
    );
  },
);

const CASES_BY_ID = [
  "select from reconciliation_cases where resolved_at is null and $1::int > 0 order by id limit 1",
  "select from reconciliation_cases where resolved_at is null and $1::int > 0 order by id",
] as const;

/** The provider has a later end, found of one member after the other, the last one first. */
async function withTermsFoundInReverse() {
  const { id, keys } = await newBundle();
  await renewBundle(reseller.context(), { bundleInstanceId: id });
  for (const key of keys.toReversed()) {
    await inbox.endTerm(key, 1);
    await inbox.compare();
  }
  return { id, keys };
}

const compareAll = async () => expect(await inbox.compare()).toMatchObject({ outcome: "compared" });

test("a comparison that finds the same differences again while an admin decides them", async () => {
  const { id } = await withTermsFoundInReverse();
  await expectNoDeadlock(world.db, CASES_BY_ID, id, compareAll);
});

test("a comparison that no longer finds the differences while an admin decides them", async () => {
  const { id, keys } = await withTermsFoundInReverse();
  for (const key of keys) await inbox.endTerm(key, -1);
  await expectNoDeadlock(world.db, CASES_BY_ID, id, compareAll);
  expect(await inbox.openCases()).toEqual([]);
});

const outcomeOf = (decided: Promise<unknown>): Promise<string> =>
  decided.then(
    () => "done",
    (error) => String(error.code),
  );

async function countWaiting() {
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  return (await world.db.query(sql(waiting), [])).length;
}

test("changing the cores of a bundle's member", async () => {
  const { id, members } = await newBundle();
  const member = members.find(({ cores }) => cores !== null);
  await expectNoDeadlock(world.db, BUNDLE_THEN_MEMBERS, id, () =>
    changeLicenseCores(reseller.context(), { licenseId: member?.id ?? 0, cores: 2 }),
  );
});

test("resetting a sandbox", async () => {
  const sandbox = await sandboxOf(world, await world.reseller());
  const { licenseId } = await sandbox.register();
  await setLicenseAutoRenew(userOf(world, sandbox), { licenseId, on: true });
  const locks = [
    "select from licenses where reseller_id = $1 order by id",
    "select from wallets where reseller_id = $1",
  ] as const;
  await expectNoDeadlock(world.db, locks, sandbox.id, () =>
    resetSandbox(userOf(world, sandbox), { sandboxId: sandbox.id }),
  );
});

test("moving a bundle of a sandbox ahead", async () => {
  const sandbox = await sandboxOf(world, await world.reseller());
  const { bundleId, cycleId } = await world.bundleOffer(sandbox.id);
  const { instance } = await registerBundle(sandbox.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  const licenseId = instance.members[0]?.id as LicenseId;
  await expectNoDeadlock(world.db, BUNDLE_THEN_MEMBERS, instance.id, () =>
    advanceLicense(userOf(world, sandbox), { licenseId, daysBeforeEnd: 3 }),
  );
});
