/**
 * Two changes of one server's licenses at one moment: the second runs while the first is stopped before one of its
 * statements. The outcome is that of one after the other in either order, or one of the two is refused and changes nothing.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isDomainError } from "#lib/domain/errors.ts";
import { parseHostname } from "#lib/domain/hostname.ts";
import type { BundleInstanceId, LicenseId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { operationKinds } from "#lib/domain/operation.ts";
import type { CaseAction } from "#lib/domain/reconciliation.ts";
import { runBulkJob } from "#lib/services/bulk/run.ts";
import { startLicenseBulk } from "#lib/services/bulk/start-licenses.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { updateLicense } from "#lib/services/license/update.ts";
import { actOnCase } from "#lib/services/reconciliation/act.ts";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import { startRelocation } from "#lib/services/relocation/start.ts";
import { runDueRenewals } from "#lib/services/renewals/run-due.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { refundCharge } from "#lib/services/wallet/refund.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { createFaultyDatabase } from "#tests/support/faulty-database.ts";
import { createInbox, type Inbox } from "#tests/support/inbox.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { createTestProcess } from "#tests/support/process.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { START } from "#tests/support/start.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { isLong, seed } from "./form.ts";
import { shuffle } from "./random.ts";

/** Of the short form: pairs, each stopped at one statement. */
const PAIRS = 25;
/** More than any action has. */
const MAX_STATEMENTS = 60;
/** The second may wait for a lock of the first: then the first goes on. */
const LOCKED_MS = 300;
const RENEWAL = 3_750n;
const BUNDLE_RENEWAL = 5_150n;

let world: World;
let inbox: Inbox;
beforeAll(async () => {
  world = await newWorld({ poolSize: 16 });
  inbox = createInbox(world);
});
afterAll(() => world.close());

interface Stage {
  readonly reseller: ResellerWorld;
  readonly licenseId: LicenseId;
  readonly licenseKey: LicenseKey;
  readonly bundleInstanceId: BundleInstanceId | 0;
  /** Of the registration. */
  readonly operationId: string;
  readonly address: LicenseAddress;
  readonly elsewhere: LicenseAddress;
  readonly caseId: number;
}

/** `using` puts the caller's database and process into a context. */
type Action = (stage: Stage, using: (ctx: ServiceContext) => ServiceContext) => Promise<unknown>;

const user = ({ reseller }: Stage) => world.context(actors.user(reseller.id));
const admin = () => world.context(actors.admin(null));
const act =
  (action: CaseAction): Action =>
  ({ caseId }, using) =>
    actOnCase(using(admin()), { caseId, action, reason: "as agreed" });
const cores =
  (count: number): Action =>
  ({ reseller, licenseId }, using) =>
    changeLicenseCores(using(reseller.context()), { licenseId, cores: count });

/** Runs the job that an action has started, and returns what became of its items. */
async function runJob(jobId: number, using: (ctx: ServiceContext) => ServiceContext) {
  await runBulkJob(using(world.operator), { jobId });
  return world.db.query(sql("select state, error_code from bulk_job_items where job_id = $1"), [jobId]);
}

const onEach = {
  renewals: ({ reseller }, using) => runDueRenewals(using(world.operator), { resellerId: reseller.id }),
  "more cores": cores(6),
  "fewer cores": cores(2),
  suspend: ({ reseller, licenseId }, using) => suspendLicense(using(reseller.context()), { licenseId }),
  "suspend by an admin": ({ reseller, licenseId }, using) => suspendLicense(using(reseller.admin()), { licenseId }),
  unsuspend: ({ reseller, licenseId }, using) => unsuspendLicense(using(reseller.context()), { licenseId }),
  update: ({ reseller, licenseKey, elsewhere }, using) =>
    updateLicense(using(reseller.context()), {
      licenseKey,
      hostname: parseHostname("a.example") ?? undefined,
      ipAddress: elsewhere,
    }),
  "set the host name": ({ reseller, licenseKey }, using) =>
    updateLicense(using(reseller.context()), { licenseKey, hostname: parseHostname("b.example") ?? undefined }),
  "refund all": ({ operationId }, using) => refundCharge(using(admin()), { operationId, reason: "all" }),
  "refund a part": ({ operationId }, using) =>
    refundCharge(using(admin()), { operationId, amount: "1", reason: "a part" }),
  "suspend the reseller": ({ reseller }, using) =>
    setResellerSuspended(using(world.operator), { resellerId: reseller.id, suspended: true, reason: "Unpaid" }),
  "take money": ({ reseller }, using) =>
    adjustWallet(using(admin()), { resellerId: reseller.id, amount: "-230", reason: "debit" }),
  async relocate(stage, using) {
    const { address: from, elsewhere: to } = stage;
    return runJob(await startRelocation(using(user(stage)), { from, to }), using);
  },
  async compare(_, using) {
    await detectDrift(using(world.operator));
  },
} satisfies Record<string, Action>;

const onLicense = {
  ...onEach,
  renew: ({ reseller, licenseId }, using) => renewLicense(using(reseller.context()), { licenseId }),
  move: ({ reseller, licenseId, elsewhere }, using) =>
    changeLicenseIp(using(reseller.context()), { licenseId, newIp: elsewhere }),
  terminate: (stage, using) => terminateLicense(using(user(stage)), { licenseId: stage.licenseId }),
  "auto-renew off": ({ reseller, licenseId }, using) =>
    setLicenseAutoRenew(using(reseller.context()), { licenseId, on: false }),
  "auto-renew on": (stage, using) =>
    setLicenseAutoRenew(using(user(stage)), { licenseId: stage.licenseId, on: true, agreedPrice: RENEWAL }),
  async "renew in a job"(stage, using) {
    const { jobId } = await startLicenseBulk(using(user(stage)), {
      change: { kind: "renew" },
      selection: { licenseIds: [stage.licenseId] },
      agreed: { count: 1, total: RENEWAL },
    });
    return runJob(jobId, using);
  },
} satisfies Record<string, Action>;

const onBundle = {
  ...onEach,
  renew: ({ reseller, bundleInstanceId }, using) => renewBundle(using(reseller.context()), { bundleInstanceId }),
  move: ({ reseller, bundleInstanceId, elsewhere }, using) =>
    changeBundleIp(using(reseller.context()), { bundleInstanceId, newIp: elsewhere }),
  "auto-renew off": ({ reseller, bundleInstanceId }, using) =>
    setBundleAutoRenew(using(reseller.context()), { bundleInstanceId, on: false }),
} satisfies Record<string, Action>;

const onCase = (...names: CaseAction[]): Record<string, Action> =>
  Object.fromEntries(names.map((name) => [`case: ${name}`, act(name)]));

interface Situation {
  readonly actions: Readonly<Record<string, Action>>;
  readonly inBundle?: boolean;
  /** What happens before the two: a change of ours, or of the provider's books. */
  readonly before?: (stage: Stage) => Promise<unknown>;
  readonly opensCase?: true;
}

const books = (change: string) => (stage: Stage) =>
  inbox.editBooks(`update sandbox_provider_licenses set ${change} where reference = $1`, [stage.licenseKey]);
const gone = ({ licenseKey }: Stage) => inbox.forget(licenseKey);

const situations: Readonly<Record<string, Situation>> = {
  "a suspended license": { actions: onLicense, before: (stage) => onLicense.suspend(stage, (ctx) => ctx) },
  "a license": { actions: onLicense },
  "a bundle": { actions: onBundle, inBundle: true },
  "a license that the provider lost": {
    actions: { ...onLicense, ...onCase("adopt", "correct", "refund", "dismiss") },
    before: gone,
    opensCase: true,
  },
  "a bundle of which the provider lost a license": {
    actions: { ...onBundle, ...onCase("adopt", "correct", "refund", "dismiss") },
    inBundle: true,
    before: gone,
    opensCase: true,
  },
  "a longer term at the provider": {
    actions: { ...onLicense, ...onCase("adopt", "charge", "correct", "dismiss") },
    before: books("expires_at = expires_at + interval '1 month'"),
    opensCase: true,
  },
  "a shorter term at the provider": {
    actions: { ...onLicense, ...onCase("adopt", "refund", "correct") },
    async before(stage) {
      await onLicense.renew(stage, (ctx) => ctx);
      await books("expires_at = expires_at - interval '1 month'")(stage);
    },
    opensCase: true,
  },
  "another address at the provider": {
    actions: { ...onLicense, ...onCase("adopt", "correct") },
    before: books("ip_address = '198.51.100.7'"),
    opensCase: true,
  },
  "more cores at the provider": {
    actions: { ...onLicense, ...onCase("adopt", "charge", "correct") },
    before: books("cores = 8"),
    opensCase: true,
  },
  "fewer cores at the provider": {
    actions: { ...onLicense, ...onCase("adopt", "refund", "correct") },
    before: books("cores = 1"),
    opensCase: true,
  },
};

async function register(inBundle: boolean, address: LicenseAddress) {
  const reseller = await world.reseller({ funds: "300" });
  if (!inBundle) {
    const { operation, ...license } = await reseller.register({ type: "web_server", ip: address });
    return { reseller, ...license, bundleInstanceId: 0 as const, operationId: operation.id };
  }
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance, operation } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: address });
  const metered = instance.members.find(({ cores }) => cores !== null) ?? expect.unreachable();
  const { id: licenseId, key: licenseKey } = metered;
  return { reseller, licenseId, licenseKey, bundleInstanceId: instance.id, operationId: operation.id };
}

/** A server with 4 cores in the last hours of its term, renewed automatically. */
async function prepare({ inBundle = false, before, opensCase }: Situation): Promise<Stage> {
  world.setClock(START);
  for (const text of [
    "delete from sandbox_provider_licenses",
    "update licenses set terminated_at = issued_at where terminated_at is null",
    "delete from reconciliation_cases",
  ]) {
    await world.db.query(sql(text), []);
  }
  const address = world.freshIp();
  const registered = await register(inBundle, address);
  const { reseller, licenseId, licenseKey, bundleInstanceId } = registered;
  world.advance(1_000);
  await changeLicenseCores(reseller.context(), { licenseId, cores: 4 });
  const { expiresAt } = await reseller.license(licenseId);
  world.setClock(new Date(expiresAt.getTime() - 12 * 3_600_000));
  const stage: Stage = { ...registered, address, elsewhere: world.freshIp(), caseId: 0 };
  await (inBundle
    ? setBundleAutoRenew(user(stage), { bundleInstanceId, on: true, agreedPrice: BUNDLE_RENEWAL })
    : onLicense["auto-renew on"](stage, (ctx) => ctx));
  world.advance(1_000);
  await before?.(stage);
  await inbox.compare();
  world.advance(1_000);
  if (!opensCase) return stage;
  const [found] = await inbox.openCases();
  expect(found?.reference).toBe(licenseKey);
  return { ...stage, caseId: found?.id ?? 0 };
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Without what differs between two stages. */
function describeValue({ licenseKey, address, elsewhere }: Stage, value: unknown): string {
  return JSON.stringify(value ?? null, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part))
    .replaceAll(licenseKey, "KEY")
    .replaceAll(/LIC-[\w-]+/g, "OTHER KEY")
    .replaceAll(address, "HERE")
    .replaceAll(elsewhere, "ELSEWHERE")
    .replaceAll(uuid, "UUID")
    .replaceAll(/"(\w*[iI]d|version|sequence)":"?\d+"?/g, '"$1":"N"')
    .replaceAll(/"\w+Ids":\[[\d,]*\]/g, (ids) => ids.replaceAll(/\d+/g, "N"))
    .replaceAll(/((?:reseller|license|case|job|bundle)[: #])\d+/gi, "$1N");
}

async function describeState(stage: Stage): Promise<string> {
  const rows = (text: string, value: unknown) => world.db.query(sql(text), [value]);
  const { reseller, licenseId } = stage;
  const state = {
    license: await reseller.license(licenseId),
    wallet: await rows("select posted, held, suspended from wallets where reseller_id = $1", reseller.id),
    entries: await rows(
      "select kind, amount from ledger_entries where reseller_id = $1 order by kind, amount",
      reseller.id,
    ),
    operations: await rows(
      "select kind, state, price from operations where reseller_id = $1 and state <> 'rejected' order by kind, price",
      reseller.id,
    ),
    events: await rows("select kind from events where reseller_id = $1 order by kind", reseller.id),
    bundle: await rows("select * from bundle_instances where reseller_id = $1", reseller.id),
    books: await rows(
      `select b.product, b.state, b.ip_address, b.cores, b.expires_at from sandbox_provider_licenses b
         join licenses l on l.key = b.reference where l.reseller_id = $1 order by b.product`,
      reseller.id,
    ),
    cases: await rows(
      "select kind, resolution from reconciliation_cases where reference = $1 order by kind, resolution",
      stage.licenseKey,
    ),
  };
  return describeValue(stage, state).replaceAll(/"updatedAt":"[^"]*"/g, "");
}

/** What an action returned, or the code of its refusal. */
async function describeResult(stage: Stage, running: Promise<unknown>): Promise<string> {
  try {
    return describeValue(stage, await running);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return `refused: ${error.code}`;
  }
}

interface Outcome {
  readonly first: string;
  readonly second: string;
  readonly state: string;
}

interface Pair {
  readonly situation: string;
  readonly first: string;
  readonly second: string;
}

function actionOf({ situation }: Pair, name: string): Action {
  return situations[situation]?.actions[name] ?? expect.unreachable();
}

const stageFor = ({ situation }: Pair) => prepare(situations[situation] ?? expect.unreachable());

async function oneAfterTheOther(pair: Pair, order: readonly ("first" | "second")[]): Promise<Outcome> {
  const stage = await stageFor(pair);
  const results = { first: "", second: "" };
  for (const which of order) {
    results[which] = await describeResult(
      stage,
      actionOf(pair, pair[which])(stage, (ctx) => ctx),
    );
  }
  return { ...results, state: await describeState(stage) };
}

/** Null if the first ends before its statement `at`. */
async function atOneMoment(pair: Pair, at: number): Promise<Outcome | null> {
  const stage = await stageFor(pair);
  const { db, paused, resume } = createFaultyDatabase(world.db, { at, when: "before", kind: "pause" });
  const process = createTestProcess(world.db);
  const using = (ctx: ServiceContext) => ({ ...ctx, db, leases: process.leases });
  const first = describeResult(stage, actionOf(pair, pair.first)(stage, using));
  const isPaused = await Promise.race([first.then(() => false), paused.then(() => true)]);
  const second = isPaused
    ? describeResult(
        stage,
        actionOf(pair, pair.second)(stage, (ctx) => ctx),
      )
    : null;
  if (second) await Promise.race([second, sleep(LOCKED_MS)]);
  resume();
  const results = [await first, await second] as const;
  await process.die();
  const [ofFirst, ofSecond] = results;
  return ofSecond === null ? null : { first: ofFirst, second: ofSecond, state: await describeState(stage) };
}

const REFUSAL_CODES = "operation_in_progress|conflict|changed_meanwhile|price_changed|state_invalid";
/** Because of the other one: the caller tries again, or the next run of the job does; or a job leaves out what is gone. */
const refusals = new RegExp(
  `^refused: (?:${REFUSAL_CODES})$|"renewed":0|"error_code":"(?:${REFUSAL_CODES}|moved|ended)"`,
);

async function expectOneAfterTheOther(pair: Pair, statements: Iterable<number>): Promise<void> {
  const allowed = [
    await oneAfterTheOther(pair, ["first", "second"]),
    await oneAfterTheOther(pair, ["second", "first"]),
  ];
  const alone = {
    first: await oneAfterTheOther(pair, ["first"]),
    second: await oneAfterTheOther(pair, ["second"]),
  };
  for (const at of statements) {
    const outcome = await atOneMoment(pair, at);
    if (outcome === null) break;
    const refused = (["first", "second"] as const)
      .filter((which) => refusals.test(outcome[which]))
      .map((which) => ({ ...alone[which === "first" ? "second" : "first"], [which]: outcome[which] }));
    expect([...allowed, ...refused], `before statement ${at}`).toContainEqual(outcome);
  }
  await expectBooksToAgree(world.db);
}

const pairs: readonly Pair[] = Object.entries(situations).flatMap(([situation, { actions, opensCase = false }]) => {
  const names = Object.keys(actions);
  return names
    .flatMap((first) => names.map((second) => ({ situation, first, second })))
    .filter(({ first, second }) => !opensCase || [first, second].some((name) => name.startsWith("case: ")));
});
const every = Array.from({ length: MAX_STATEMENTS }, (_, index) => index + 1);
const tried = isLong ? pairs : shuffle(pairs, seed).slice(0, PAIRS);

test("the actions are of each kind of operation", async () => {
  const kinds = new Set<string>();
  const taken = new Set<Action>();
  for (const situation of Object.values(situations)) {
    for (const action of Object.values(situation.actions)) {
      if (taken.has(action)) continue;
      taken.add(action);
      const stage = await prepare(situation);
      await describeResult(
        stage,
        action(stage, (ctx) => ctx),
      );
      for (const { kind } of await stage.reseller.operations()) kinds.add(kind);
      if (kinds.size === operationKinds.length) return;
    }
  }
  expect([...kinds].toSorted()).toEqual(operationKinds.toSorted());
});

test.each(tried)(
  "$situation: $first, beside $second",
  async (pair) => {
    const at = isLong ? every : shuffle(every.slice(0, 6), seed + tried.indexOf(pair)).slice(0, 1);
    await expectOneAfterTheOther(pair, at);
  },
  120_000,
);
