/** A list of holds or settlements does to each of them what would happen if they came one after the other. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import { LONGEST_LIST, operations } from "#lib/db/operation/batches.ts";
import { type Held, type Hold, holdOperation } from "#lib/db/operation/hold.ts";
import { settleOperation } from "#lib/db/operation/outcome.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { setApiKeySpendingLimit } from "#lib/services/api-key/set-spending-limit.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { type HoldDraft, holdOf } from "#tests/support/holds.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { whileWalletIsLocked } from "#tests/support/locks.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type Offer, type World } from "#tests/support/world.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld({ poolSize: 4 });
  // As while many others are on their way: a list may be as long as any.
  for (let i = 0; i < 2 * LONGEST_LIST; i++) operations.enter();
});
afterAll(async () => {
  for (let i = 0; i < 2 * LONGEST_LIST; i++) operations.leave();
  await world.close();
});

/** The database of one test, and how many members the lists had that were sent to it. */
function countingLists(): { readonly db: Database; readonly sizes: number[] } {
  const sizes: number[] = [];
  const query: Database["query"] = (statement, values) => {
    if (/^(hold|settle)_operations$/.test(statement.name ?? "")) sizes.push(JSON.parse(String(values[0])).length);
    return world.db.query(statement, values);
  };
  return { db: { ...world.db, query }, sizes };
}

type Answer = Held | { readonly refused: string; readonly why: string };

async function place(db: Database, hold: Hold): Promise<Answer> {
  return holdOperation(db, hold).catch((error) => {
    if (!isDomainError(error)) throw error;
    return { refused: error.code, why: error.message };
  });
}

const refusalOf = (answer: Answer) => ("refused" in answer ? answer.refused : "held");
const balanceOf = (answer: Answer) => ("refused" in answer ? null : answer.spendable);

async function readLicense(id: number) {
  const text = "select id, key, xmin::text as version from licenses where id = $1";
  const [license] = await world.db.query(sql<{ id: number; key: string; version: string }>(text), [id]);
  return license ?? expect.unreachable();
}

async function claimKey(resellerId: ResellerId, key: string): Promise<string> {
  const token = randomUUID();
  const text = `insert into idempotency_records (reseller_id, key, request_hash, owner_id, lease_token, created_at)
                values ($1, $2, '\\x01', $3, $3, now())`;
  await world.db.query(sql(text), [resellerId, key, token]);
  return token;
}

describe("a list of holds", () => {
  test("refuses each for its own reason, and admits the others with exact balances in the order of arrival", async () => {
    const rich = await world.reseller({ funds: "100.00" });
    const poor = await world.reseller({ funds: "20.00" });
    const suspended = await world.reseller();
    const offer = await world.offer(rich.id, "control_panel");
    const taken = world.freshIp();
    const { licenseId } = await rich.register({ ip: taken, externalId: "order-1" });
    const [license, other] = [await readLicense(licenseId), await readLicense((await rich.register()).licenseId)];
    const user = world.context(actors.user(rich.id));
    // The registrations above count as those of the first key, which the test's actor has.
    await createResellerApiKey(user, { name: "first", scopes: ["licenses:write"] });
    const { apiKeyId } = await createResellerApiKey(user, { name: "shop", scopes: ["licenses:write"] });
    await setApiKeySpendingLimit(user, { apiKeyId, limit: "15.00" });
    await setResellerSuspended(world.operator, { resellerId: suspended.id, suspended: true, reason: "Unpaid" });
    const token = await claimKey(rich.id, "order-2");
    const spending = { actor: `key:${apiKeyId}` };
    const register = (ipAddress: string, externalId?: string) => ({
      register: { ...offer, ipAddress, ...(externalId ? { externalId } : {}) },
    });
    const twice = world.freshIp();
    const start = await rich.spendable();
    const rows: readonly [ResellerWorld, bigint, Partial<HoldDraft>, string, bigint | null][] = [
      [rich, 1_000n, register(twice), "held", start - 1_000n],
      [rich, 1_000n, register(taken), "registration_address_taken", null],
      [poor, 1_500n, {}, "held", 500n],
      [rich, 500n, register(world.freshIp(), "order-1"), "operation_in_progress", null],
      [rich, 500n, register(twice), "registration_address_taken", null],
      [suspended, 1n, {}, "reseller_suspended", null],
      [suspended, 0n, {}, "held", await suspended.spendable()],
      [poor, 501n, {}, "insufficient_balance", null],
      [rich, 1_400n, { change: spending }, "held", start - 2_400n],
      [rich, 200n, { change: spending }, "spending_limit_reached", null],
      [rich, 100n, { renew: license }, "held", start - 2_500n],
      [rich, 100n, { renew: license }, "operation_in_progress", null],
      [rich, 100n, { renew: { ...other, version: "1" } }, "operation_in_progress", null],
      [rich, 1n, { idempotencyKey: { key: "order-2", token: randomUUID() } }, "idempotency_in_progress", null],
      [rich, 1n, { idempotencyKey: { key: "order-2", token } }, "held", start - 2_501n],
      [poor, 500n, {}, "held", 0n],
      [rich, 1n, register(world.freshIp(), "order-3"), "held", start - 2_502n],
    ];
    const { db, sizes } = countingLists();
    const holds = rows.map(([{ id }, price, draft]) => holdOf({ resellerId: id, price, now: world.now(), ...draft }));
    const answers = await Promise.all(holds.map((hold) => place(db, hold)));
    expect(sizes).toEqual([rows.length]);
    expect(answers.map((answer) => [refusalOf(answer), balanceOf(answer)])).toEqual(
      rows.map(([, , , refusal, balance]) => [refusal, balance]),
    );
    expect(answers[7]).toMatchObject({ why: expect.stringContaining("$0.01") });
    expect(await rich.wallet()).toMatchObject({ held: 2_502n });
    expect(await poor.wallet()).toMatchObject({ held: 2_000n });
    await expectBooksToAgree(world.db);
  });

  test("leaves no trace of what it refuses", async () => {
    const reseller = await world.reseller({ funds: "10.00" });
    const offer = await world.offer(reseller.id, "control_panel");
    const register = (price: bigint) =>
      holdOf({ resellerId: reseller.id, price, now: world.now(), register: { ...offer, ipAddress: world.freshIp() } });
    const answers = await Promise.all([600n, 600n, 300n, 600n].map((price) => place(world.db, register(price))));
    expect(answers.map(refusalOf)).toEqual(["held", "insufficient_balance", "held", "insufficient_balance"]);
    expect(await reseller.operations()).toHaveLength(2);
    const text = "select count(*)::int as count from licenses where reseller_id = $1";
    expect(await world.db.query(sql<{ count: number }>(text), [reseller.id])).toEqual([{ count: 2 }]);
  });

  test("refuses only those whose wallet somebody else keeps locked", async () => {
    const [locked, free] = [await world.reseller(), await world.reseller()];
    const offer = await world.offer(locked.id, "control_panel");
    const start = await free.spendable();
    const taken = { ...offer, ipAddress: world.freshIp() };
    const placeFor = (resellerId: ResellerId, draft?: Partial<HoldDraft>) =>
      place(world.db, holdOf({ resellerId, price: 1n, now: world.now(), ...draft }));
    const placeAll = async () => {
      const pairs = Array.from({ length: LONGEST_LIST }, () => [placeFor(locked.id), placeFor(free.id)]);
      expect((await Promise.all(pairs.flat())).map(refusalOf)).toEqual(pairs.flatMap(() => ["unavailable", "held"]));
      const conflicting = [
        placeFor(free.id, { register: taken }),
        placeFor(locked.id),
        placeFor(free.id, { register: taken }),
        placeFor(free.id),
      ];
      expect((await Promise.all(conflicting)).map(refusalOf)).toEqual([
        "held",
        "unavailable",
        "registration_address_taken",
        "held",
      ]);
    };
    await whileWalletIsLocked({ resellerId: locked.id }, placeAll, world.url);
    expect(await locked.wallet()).toMatchObject({ held: 0n });
    expect(await free.spendable()).toBe(start - BigInt(LONGEST_LIST + 2));
    await expectBooksToAgree(world.db);
  });
});

test("a list of settlements settles those whose wallet is free, and the others once theirs is", async () => {
  const [locked, free] = [await world.reseller(), await world.reseller()];
  const before = { locked: await locked.spendable(), free: await free.spendable() };
  const holds = await Promise.all(
    [locked, free, locked, free].map(async ({ id }) => {
      const hold = holdOf({ resellerId: id, price: 100n, now: world.now() });
      await holdOperation(world.db, hold);
      return hold.operation;
    }),
  );
  const settlement = { succeeded: true, failureMessage: null, references: {}, reconciled: false };
  const settleAll = (operations: readonly Hold["operation"][]) =>
    Promise.all(
      operations.map((operation) =>
        settleOperation(world.db, { token: operation.id }, operation, settlement, world.now()).then(
          (row) => row?.state ?? "settled before",
          (error) => (isDomainError(error) ? error.code : String(error)),
        ),
      ),
    );
  const states = await whileWalletIsLocked({ resellerId: locked.id }, () => settleAll(holds), world.url);
  expect(states).toEqual(["unavailable", "succeeded", "unavailable", "succeeded"]);
  expect(await settleAll(holds)).toEqual(["succeeded", "settled before", "succeeded", "settled before"]);
  expect(await locked.spendable()).toBe(before.locked - 200n);
  expect(await free.spendable()).toBe(before.free - 200n);
  await expectBooksToAgree(world.db);
});

/** What a request does; numbers choose from what the resellers have. */
interface Step {
  readonly reseller: number;
  readonly price: bigint;
  readonly does: { readonly kind: "free" } | Registration | Renewal;
  readonly succeeds: boolean;
}
interface Registration {
  readonly kind: "register";
  readonly address: number;
  readonly externalId: number;
}
interface Renewal {
  readonly kind: "renew";
  readonly license: number;
  readonly isStale: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  reseller: fc.nat(1),
  price: fc.bigInt({ min: 0n, max: 4_000n }),
  does: fc.oneof(
    fc.record({ kind: fc.constant("free" as const) }),
    fc.record({ kind: fc.constant("register" as const), address: fc.nat(5), externalId: fc.nat(4) }),
    fc.record({ kind: fc.constant("renew" as const), license: fc.nat(1), isStale: fc.boolean() }),
  ),
  succeeds: fc.boolean(),
});

/** Two resellers with a license each, and addresses of their own. */
async function newStage() {
  const resellers = [await world.reseller({ funds: "120.00" }), await world.reseller({ funds: "120.00" })];
  const [offer] = await Promise.all(resellers.map(({ id }) => world.offer(id, "control_panel")));
  const licenses = [];
  for (const reseller of resellers) licenses.push(await readLicense((await reseller.register()).licenseId));
  return { resellers, offer: offer as Offer, licenses, addresses: Array.from({ length: 6 }, () => world.freshIp()) };
}
type Stage = Awaited<ReturnType<typeof newStage>>;

function holdFor({ resellers, offer, licenses, addresses }: Stage, { reseller, price, does }: Step): Hold {
  // Only the owner of a license can renew it.
  const owner = resellers[does.kind === "renew" ? does.license : reseller] as ResellerWorld;
  const draft = { resellerId: owner.id, price, now: world.now() };
  if (does.kind === "free") return holdOf(draft);
  if (does.kind === "renew") {
    const license = licenses[does.license] ?? expect.unreachable();
    return holdOf({ ...draft, renew: does.isStale ? { ...license, version: "1" } : license });
  }
  const externalId = does.externalId < 2 ? { externalId: `order-${does.externalId}` } : {};
  return holdOf({ ...draft, register: { ...offer, ipAddress: String(addresses[does.address]), ...externalId } });
}

type Together = <T, R>(members: readonly T[], send: (member: T) => Promise<R>) => Promise<R[]>;
const atOnce: Together = (members, send) => Promise.all(members.map(send));
const inTurn: Together = async (members, send) => {
  const answers = [];
  for (const member of members) answers.push(await send(member));
  return answers;
};

/** Everything that a list changes, without the ids that differ between stages. */
async function play(steps: readonly Step[], together: Together) {
  const stage = await newStage();
  const holds = steps.map((one) => holdFor(stage, one));
  const answers = await together(holds, (hold) => place(world.db, hold));
  const admitted = holds.flatMap((hold, index) =>
    "refused" in (answers[index] as Answer) ? [] : [{ hold, step: steps[index] as Step }],
  );
  const settled = await together(admitted, async ({ hold: { operation }, step: { succeeds } }) => {
    const settlement = {
      succeeded: succeeds,
      failureMessage: succeeds ? null : "No.",
      references: {},
      reconciled: false,
    };
    const row = await settleOperation(world.db, { token: operation.id }, operation, settlement, world.now());
    return [row?.state, row?.balance_after, row?.failure_message];
  });
  const ids = stage.resellers.map(({ id }) => id);
  const rows = (text: string) => world.db.query(sql<Record<string, unknown>>(text), [ids]);
  return {
    answers: answers.map((answer) => ("refused" in answer ? answer : answer.spendable)),
    settled,
    wallets: await rows("select posted, held from wallets where reseller_id = any ($1) order by reseller_id"),
    entries: await rows(
      "select kind, amount, posted_after from ledger_entries where reseller_id = any ($1) order by reseller_id, id",
    ),
    licenses: await rows(`select external_id, provisioned_at is not null as provisioned, expires_at, open_operation_id
                            from licenses where reseller_id = any ($1) order by id`),
    claims: await rows(
      "select valid_until, operation_id from address_claims where reseller_id = any ($1) order by license_id",
    ),
    revenue: await rows(
      "select month, revenue, cost, uncosted from revenue_months where reseller_id = any ($1) order by reseller_id, product_id",
    ),
    events: await rows(
      "select kind, count(*)::int as count from events where reseller_id = any ($1) group by reseller_id, kind order by reseller_id, kind",
    ),
  };
}

test("any list gives the answers and the books of the same requests one at a time", async () => {
  await fc.assert(
    // By default no array would be longer than 14, whatever the maximum.
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: LONGEST_LIST, size: "max" }), async (steps) => {
      expect(await play(steps, atOnce)).toEqual(await play(steps, inTurn));
    }),
    { numRuns: 40 },
  );
  await expectBooksToAgree(world.db);
}, 120_000);
