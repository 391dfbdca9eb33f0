/**
 * A worker that sleeps in the middle of a job's item, until another one has ended the item and its reseller has gone on.
 * Every kind of job, stopped before each statement up to what it writes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BulkKind, bulkKinds } from "#lib/domain/bulk.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { setLicenseLabels } from "#lib/services/license/set-labels.ts";
import { setLicenseNotes } from "#lib/services/license/set-notes.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { digestTenant } from "#tests/support/digest-tenant.ts";
import { createFaultyDatabase } from "#tests/support/faulty-database.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { createTestProcess } from "#tests/support/process.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { runBulkJob } from "./run.ts";
import { startBulkJob } from "./start.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

interface Subject {
  readonly reseller: ResellerWorld;
  readonly licenseId: number;
  readonly bundleInstanceId: number;
  readonly address: string;
}

/** What a kind changes, and for one without an operation how its reseller changes that back. */
interface Change {
  readonly parameters?: object;
  readonly input?: (subject: Subject) => Promise<object>;
  readonly ofBundle?: true;
  readonly before?: (ctx: ServiceContext, subject: Subject) => Promise<unknown>;
  readonly back?: (ctx: ServiceContext, subject: Subject) => Promise<unknown>;
}

const tag = { tags: ["eu"] };
const elsewhere = () => world.freshIp();
const label =
  (change: object) =>
  (ctx: ServiceContext, { licenseId }: Subject) =>
    setLicenseLabels(ctx, { licenseId, change });
const termOf = async ({ reseller, licenseId }: Subject, price: string) => {
  const { expiresAt } = await reseller.license(licenseId);
  return { termEndsAt: expiresAt, price };
};

const changes: Record<BulkKind, Change> = {
  renew: { input: (subject) => termOf(subject, "1450") },
  suspend: { parameters: { reason: "Unpaid" } },
  unsuspend: { before: (ctx, { licenseId }) => suspendLicense(ctx, { licenseId }) },
  terminate: {},
  set_notes: {
    parameters: { notes: "new" },
    back: (ctx, { licenseId }) => setLicenseNotes(ctx, { licenseId, notes: "later" }),
  },
  set_customer: {
    parameters: { customerName: "Acme", customerEmail: "", customerReference: "" },
    back: label({ customerName: "Later" }),
  },
  add_tags: { parameters: tag, back: label({ removeTags: ["eu"] }) },
  remove_tags: { parameters: tag, before: label({ addTags: ["eu"] }), back: label({ addTags: ["eu"] }) },
  set_auto_renew: {
    parameters: { on: true },
    back: (ctx, { licenseId }) => setLicenseAutoRenew(ctx, { licenseId, on: false }),
  },
  renew_bundle: { ofBundle: true, input: (subject) => termOf(subject, "3200") },
  set_bundle_auto_renew: {
    ofBundle: true,
    parameters: { on: true },
    back: (ctx, { bundleInstanceId }) => setBundleAutoRenew(ctx, { bundleInstanceId, on: false }),
  },
  relocate: { parameters: {} },
  register: {
    async input({ reseller }) {
      const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
      return { productId, cycleId, ipAddress: elsewhere(), notes: "", autoRenew: false, price: "1450" };
    },
  },
  change_ip: { input: async ({ address }) => ({ from: address, to: elsewhere() }) },
};

async function newSubject({ ofBundle, before }: Change): Promise<Subject> {
  const reseller = await world.reseller({ funds: "200" });
  const address = world.freshIp();
  let subject: Subject;
  if (ofBundle) {
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
    const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: address });
    subject = { reseller, address, licenseId: instance.members[0]?.id ?? 0, bundleInstanceId: instance.id };
  } else {
    const { licenseId } = await reseller.register({ ip: address });
    subject = { reseller, address, licenseId, bundleInstanceId: 0 };
  }
  await before?.(reseller.context(), subject);
  return subject;
}

async function start(kind: BulkKind, change: Change, subject: Subject) {
  const { reseller, licenseId, bundleInstanceId, address } = subject;
  const input = (await change.input?.(subject)) ?? {};
  const { parameters = {} } = change;
  const of = kind === "register" ? {} : change.ofBundle ? { bundleInstanceId } : { licenseId };
  return startBulkJob(world.context(actors.user(reseller.id)), reseller.id, {
    kind,
    parameters: kind === "relocate" ? { from: address, to: elsewhere() } : parameters,
    items: [{ ...of, input }],
    quotedTotal: 0n,
    currency: "USD" as Currency,
  });
}

/** Its item ends without an operation that was carried out. */
function rejecting(ctx: ServiceContext): ServiceContext {
  const provider: LicenseProvider = {
    ...world.provider,
    execute: async () => ({ kind: "rejected", message: "No." }),
  };
  return { ...ctx, providers: new Map([[provider.name, provider]]) };
}

/** The names of its statements up to the first that changes something; with an operation, up to the hold. */
async function statementsOf(kind: BulkKind, change: Change): Promise<string[]> {
  const names: string[] = [];
  const { db } = createFaultyDatabase(world.db, null, (name) => names.push(name) > 0);
  const jobId = await start(kind, change, await newSubject(change));
  await runBulkJob({ ...world.operator, db }, { jobId });
  const end = names.findIndex((name) => name === "hold_operations" || name === "end_bulk_item");
  return names.slice(0, end + 1);
}

/** But for what a refused change counts. */
const digest = async ({ reseller }: Subject) =>
  Object.entries(await digestTenant(world.db, reseller.id)).filter(([table]) => !/^address_lookups/.test(table));

test.each(bulkKinds)("a worker that sleeps in an item of the kind %s changes nothing when it wakes", async (kind) => {
  const change = changes[kind];
  const names = await statementsOf(kind, change);
  const first = names.indexOf("begin_bulk_item") + 1;
  expect(first).toBeGreaterThan(0);
  for (let at = first; at < names.length; at++) {
    const subject = await newSubject(change);
    const user = subject.reseller.context();
    const jobId = await start(kind, change, subject);
    const sleeper = createTestProcess(world.db);
    const { db, paused, resume } = createFaultyDatabase(world.db, { at: at + 1, when: "before", kind: "pause" });
    const running = runBulkJob({ ...world.operator, db, leases: sleeper.leases }, { jobId });
    await paused;
    await sleeper.fallAsleep();

    const { leases } = createTestProcess(world.db);
    const other = { ...world.operator, leases };
    const where = `asleep before ${names[at]}`;
    expect(await runBulkJob(change.back ? other : rejecting(other), { jobId }), where).toMatchObject({ ended: true });
    await change.back?.(user, subject);
    const before = await digest(subject);

    await sleeper.wakeUp();
    resume();
    // PostgreSQL ends a transaction that waits for its client for two seconds.
    await running.catch((error) => expect(error).toMatchObject({ code: "unavailable" }));
    expect(await digest(subject), where).toEqual(before);
    await sleeper.die();
  }
  await expectBooksToAgree(world.db);
});

test("an item whose hold is under way is begun by nobody else before that has ended", async () => {
  const change = changes.set_notes;
  const subject = await newSubject(change);
  const jobId = await start("set_notes", change, subject);
  const sleeper = createTestProcess(world.db);
  const { db, paused, resume } = createFaultyDatabase(
    world.db,
    { at: 1, when: "before", kind: "pause" },
    (name) => name === "find_operation_of_request",
  );
  const running = runBulkJob({ ...world.operator, db, leases: sleeper.leases }, { jobId });
  await paused;
  await sleeper.fallAsleep();
  const holding = await world.db.begin();
  const held = await holding.query(
    sql(`select require_running_items(jsonb_agg(jsonb_build_object(
             'reseller_id', i.reseller_id, 'request_id', 'bulk:' || i.id, 'item_token', j.lease_token)))
           from bulk_job_items i join bulk_jobs j on j.id = i.job_id where j.id = $1`),
    [jobId],
  );
  expect(held).toHaveLength(1);
  let hasEnded = false;
  const { leases } = createTestProcess(world.db);
  const takingOver = runBulkJob({ ...world.operator, leases }, { jobId }).then(() => {
    hasEnded = true;
  });
  await sleep(300);
  const hasWaited = !hasEnded;
  await holding.commit();
  await takingOver;
  resume();
  await running;
  await sleeper.die();
  expect(hasWaited).toBe(true);
});
