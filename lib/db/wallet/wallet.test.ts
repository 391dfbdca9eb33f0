import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Hold, holdOperation } from "#lib/db/operation/hold.ts";
import { settleOperation } from "#lib/db/operation/outcome.ts";
import { PLAN_VERSION } from "#lib/domain/operation-plan.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { postLedgerEntry } from "./wallet.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld({ poolSize: 20 });
});
beforeEach(async () => {
  reseller = await world.reseller({ funds: "100" });
});
afterAll(() => world.close());

function hold(price: bigint, change: Partial<Hold["operation"]> = {}): Hold {
  const id = randomUUID();
  return {
    operation: {
      id,
      kind: "license_suspend",
      reseller_id: reseller.id,
      license_id: null,
      bundle_instance_id: null,
      hold_amount: price > 0n ? price : 0n,
      price,
      currency: "USD",
      plan: {
        version: PLAN_VERSION,
        provider: "sandbox",
        steps: [],
        onSuccess: { licenses: [], events: [] },
        onRejection: { licenses: [], events: [] },
        facts: {},
      },
      actor: "test",
      request_id: "req_test",
      owner_id: id,
      lease_token: id,
      created_at: world.now(),
      ...change,
    },
    newLicenses: [],
    newInstance: null,
    lockLicenses: [],
    claims: [],
    idempotencyKey: null,
  };
}

const settle = (id: string, succeeded: boolean) =>
  settleOperation(
    world.db,
    { token: id },
    { id, reseller_id: reseller.id },
    { succeeded, failureMessage: null, references: {}, reconciled: false },
    world.now(),
  );

async function holdNow(price: bigint): Promise<string> {
  const draft = hold(price);
  await holdOperation(world.db, draft);
  return draft.operation.id;
}

describe("a hold", () => {
  test("reduces the available balance, not the posted one; success charges it, a rejection releases it", async () => {
    const charged = await holdNow(3000n);
    const released = await holdNow(2000n);
    expect(await reseller.wallet()).toMatchObject({ posted: 10_000n, held: 5000n, pendingCount: 2 });
    expect(await settle(charged, true)).toMatchObject({ state: "succeeded", balance_after: 5000n });
    expect(await settle(released, false)).toMatchObject({ state: "rejected", balance_after: 7000n });
    expect(await reseller.wallet()).toMatchObject({ posted: 7000n, held: 0n, pendingCount: 0 });
    expect(await reseller.entries()).toEqual([10_000n, -3000n]);
  });

  test("ends exactly once among concurrent settlements of either kind", async () => {
    const id = await holdNow(3000n);
    const ends = await Promise.all([true, false, true, false, true, false].map((succeeded) => settle(id, succeeded)));
    const [winner, ...others] = ends.filter((end) => end !== null);
    expect(others).toEqual([]);
    const charged = winner?.state === "succeeded" ? 3000n : 0n;
    expect(await reseller.wallet()).toMatchObject({ posted: 10_000n - charged, held: 0n });
    expect(await reseller.difference()).toBeNull();
  });

  test("never exceeds the balance: of ten concurrent ones with money for three, three succeed", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => holdNow(3300n)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason.code).toBe("insufficient_balance");
    }
    expect(await reseller.wallet()).toMatchObject({ posted: 10_000n, held: 9900n });
  });

  test("that waits for another's commit sees its result, so two cannot take the same money", async () => {
    const clients = [new pg.Client(world.url), new pg.Client(world.url)] as const;
    for (const client of clients) await client.connect();
    const [first, second] = clients;
    const sql = "select refusal from hold_operations($1::jsonb)";
    const draft = () =>
      JSON.stringify([{ place: 0, ...hold(6000n).operation }], (_, v) => (typeof v === "bigint" ? String(v) : v));
    try {
      await first.query("begin");
      await first.query(sql, [draft()]);
      let done = false;
      const waiting = second.query(sql, [draft()]).then(({ rows }) => rows[0].refusal);
      void waiting.finally(() => (done = true));
      await blocked(second);
      expect(done).toBe(false);
      await first.query("commit");
      expect(await waiting).toBe("LD002");
    } finally {
      for (const client of clients) await client.end();
    }
    expect(await reseller.wallet()).toMatchObject({ held: 6000n });
  });

  test("is tried again, not refused, if money that covers it exactly has arrived meanwhile", async () => {
    await holdNow(6000n);
    const refuse = (price: bigint) =>
      world.db.query(sql("select from refuse_short_wallet($1, $2, null)"), [reseller.id, price]);
    await refuse(4000n);
    await expect(refuse(4001n)).rejects.toMatchObject({
      code: "LD002",
      detail: expect.stringContaining('"missing" : "1"'),
    });
  });

  test("that fails unexpectedly fails none of the concurrent ones", async () => {
    const outcomes = await Promise.allSettled(
      [100n, 200n, 300n].map((price) =>
        holdOperation(world.db, hold(price, price === 200n ? { currency: "EUR" } : {})),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await reseller.wallet()).toMatchObject({ held: 400n });
  });

  test("in another currency than the wallet's is rejected", async () => {
    await expect(holdOperation(world.db, hold(100n, { currency: "EUR" }))).rejects.toThrow(/wallet in USD/);
    expect(await reseller.operations()).toEqual([]);
  });
});

/** Resolves once the client's statement waits for a lock. */
async function blocked(client: pg.Client): Promise<void> {
  const { processID } = client as unknown as { processID: number };
  for (;;) {
    const [row] = await world.db.query(
      sql<{ waits: boolean }>("select wait_event_type = 'Lock' as waits from pg_stat_activity where pid = $1"),
      [processID],
    );
    if (row?.waits) return;
  }
}

test("a credit without a lot is rejected, and changes nothing (contract 3.6)", async () => {
  await expect(holdNow(-250n)).rejects.toThrow("has invalid core credits");
  expect(await reseller.operations()).toEqual([]);
  expect(await reseller.entries()).toEqual([10_000n]);
});

describe("money outside of operations", () => {
  const post = (amount: bigint, reference: string | null = null) =>
    postLedgerEntry(
      world.db,
      {
        resellerId: reseller.id,
        kind: "adjustment",
        counterAccount: "adjustments",
        amount,
        reference,
        note: "",
        actor: "test",
        event: null,
      },
      world.now(),
    );

  test("cannot come from held money", async () => {
    await holdNow(6000n);
    expect(await codeOf(post(-4001n))).toBe("insufficient_balance");
    expect(await post(-4000n)).toBe(6000n);
  });

  test("is posted once per reference, also concurrently", async () => {
    const outcomes = await Promise.allSettled([post(500n, "INV-1"), post(500n, "INV-1"), post(500n, "INV-1")]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await codeOf(post(500n, "INV-1"))).toBe("conflict");
    expect(await reseller.entries()).toEqual([10_000n, 500n]);
    expect(await reseller.difference()).toBeNull();
  });
});

describe("the database rejects, independently of the code", () => {
  test.each([
    ["to change an entry", "update ledger_entries set amount = amount + 1"],
    ["to delete an entry", "delete from ledger_entries"],
    ["to empty the ledger", "truncate ledger_entries"],
    ["to empty it with what depends on it", "truncate wallets, ledger_entries cascade"],
  ])("%s", async (_, text) => {
    await expect(world.db.query(sql(text), [])).rejects.toMatchObject({ code: "23000" });
  });

  test.each([
    ["to spend what is not there", "update wallets set posted = -1"],
    ["to hold more than is there", "update wallets set held = posted + 1"],
    ["to hold less than nothing", "update wallets set held = -1"],
    [
      "an entry that moves nothing",
      "insert into ledger_entries (reseller_id, counter_account, kind, amount, posted_after, actor) select reseller_id, 'revenue', 'charge', 0, 0, '' from wallets limit 1",
    ],
    ["an operation that may charge more than it holds", "update operations set price = hold_amount + 1"],
  ])("%s", async (_, text) => {
    await holdNow(100n);
    await expect(world.db.query(sql(text), [])).rejects.toMatchObject({ code: "23514" });
  });
});
