import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import { unavailable } from "#lib/db/connection/errors.ts";
import { withQuery } from "#lib/db/connection/with-query.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ApiKeyId, UserId } from "#lib/domain/ids.ts";
import { agentScopes } from "#lib/domain/scopes.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { createTestProcess } from "#tests/support/process.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { answerOnce, type KeyedWork } from "./answer-once.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

const OK = 200;
const REFUSED = 400;
const hash = (request: string) => Buffer.alloc(32, request);

/** Final refusals are stored, transient ones are not. */
const work = (answer: (ctx: ServiceContext) => Promise<unknown>): KeyedWork => ({
  answer: async (ctx) => ({ status: OK, body: JSON.stringify(await answer(ctx)) }),
  refuse: ({ code }) => (code === "insufficient_balance" ? null : { status: REFUSED, body: code }),
});
const send = (ctx: ServiceContext, answer: (ctx: ServiceContext) => Promise<unknown>, key = "order", request = "r") =>
  answerOnce(ctx, { key, requestHash: hash(request) }, work(answer));
const refuse = (code: "insufficient_balance" | "state_invalid") => async () => {
  throw new DomainError(code, "Refused.");
};
const answerOf = async (sent: ReturnType<typeof send>) => {
  const { answer, isReplayed } = await sent;
  return { body: answer.body, isReplayed };
};

/** A request waits at it: `reached` resolves when it is there, `open` lets it continue. */
function gate() {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    open: opened.resolve,
    async pass() {
      reached.resolve();
      await opened.promise;
    },
  };
}

function twoInstances(actor = reseller.context().actor) {
  const [first, second] = [createTestProcess(world.db), createTestProcess(world.db)];
  const contextIn = ({ leases }: typeof first) => world.context(actor, { leases });
  return { first, second, inFirst: contextIn(first), inSecond: contextIn(second) };
}

/** A database that is unavailable for the first `times` statements of this name. */
function away(db: Database, name: string, times: number): { db: Database; tries: () => number } {
  let tries = 0;
  const query: Database["query"] = (statement, values) => {
    if (statement.name === name && ++tries <= times) return Promise.reject(unavailable());
    return db.query(statement, values);
  };
  return { db: withQuery(db, query), tries: () => tries };
}

describe("what is stored", () => {
  test("an answer and a final error are, and are returned without running again", async () => {
    const run = vi.fn(async () => ({ a: 1 }));
    expect(await answerOf(send(reseller.context(), run))).toEqual({ body: '{"a":1}', isReplayed: false });
    expect(await answerOf(send(reseller.context(), run))).toEqual({ body: '{"a":1}', isReplayed: true });
    expect(run).toHaveBeenCalledTimes(1);
    expect(await codeOf(send(reseller.context(), refuse("state_invalid"), "other"))).toBe("state_invalid");
    expect(await answerOf(send(reseller.context(), run, "other"))).toEqual({ body: "state_invalid", isReplayed: true });
    expect(run).toHaveBeenCalledTimes(1);
  });

  test("a transient error is not: the key can be retried, and used for another request", async () => {
    expect(await codeOf(send(reseller.context(), refuse("insufficient_balance")))).toBe("insufficient_balance");
    expect(await codeOf(send(reseller.context(), refuse("insufficient_balance")))).toBe("insufficient_balance");
    const other = send(reseller.context(), async () => "other", "order", "another request");
    expect(await answerOf(other)).toEqual({ body: '"other"', isReplayed: false });
    expect(await codeOf(send(reseller.context(), async () => "first"))).toBe("idempotency_key_reused");
  });

  test("an unexpected failure is not", async () => {
    const fail = () => Promise.reject(new Error("a bug"));
    await expect(send(reseller.context(), fail)).rejects.toThrow("a bug");
    expect(await answerOf(send(reseller.context(), async () => 1))).toEqual({ body: "1", isReplayed: false });
  });

  test("a key is kept for 24 hours by the database's clock, not the process's", async () => {
    const age = (interval: string) =>
      world.db.query(sql("update idempotency_records set created_at = now() - $2::interval where reseller_id = $1"), [
        reseller.id,
        interval,
      ]);
    const aheadByTwoDays = reseller.context({ now: () => new Date(Date.now() + 2 * 86_400_000) });
    await send(reseller.context(), async () => "old");
    expect(await answerOf(send(aheadByTwoDays, async () => "new"))).toEqual({ body: '"old"', isReplayed: true });
    await age("23 hours 59 minutes");
    expect(await answerOf(send(reseller.context(), async () => "new"))).toEqual({ body: '"old"', isReplayed: true });
    await age("24 hours 1 second");
    expect(await answerOf(send(reseller.context(), async () => "new", "order", "another request"))).toEqual({
      body: '"new"',
      isReplayed: false,
    });
  });
});

test("an agent's keys are its own: it takes none of the reseller's, and reads none of its answers (contract 1.11)", async () => {
  const agent = (apiKeyId: number, firstKeyId = apiKeyId) =>
    world.context({
      kind: "api_key",
      apiKeyId: apiKeyId as ApiKeyId,
      firstKeyId: firstKeyId as ApiKeyId,
      resellerId: reseller.id,
      scopes: new Set(agentScopes),
      licenseId: null,
      spendingKeyId: null,
    });
  expect(await answerOf(send(agent(1), async () => "agent"))).toEqual({ body: '"agent"', isReplayed: false });
  expect(await answerOf(send(agent(2), async () => "other"))).toEqual({ body: '"other"', isReplayed: false });
  expect(await answerOf(send(agent(1), async () => "again"))).toEqual({ body: '"agent"', isReplayed: true });
  expect(await answerOf(send(agent(3, 1), async () => "rotated"))).toEqual({ body: '"agent"', isReplayed: true });
  const order = send(reseller.context(), async () => "order", "order", "another request");
  expect(await answerOf(order)).toEqual({ body: '"order"', isReplayed: false });
  const later = world.context(actors.apiKey(reseller.id, [...agentScopes, "licenses:write"]));
  expect(await codeOf(send(later, async () => "later"))).toBe("idempotency_key_reused");
});

describe("an unavailable database", () => {
  test("while the answer is stored: it is stored afterwards", async () => {
    const { db, tries } = away(world.db, "store_idempotent_answer", 3);
    expect(await answerOf(send({ ...reseller.context(), db }, async () => 1))).toEqual({
      body: "1",
      isReplayed: false,
    });
    expect(tries()).toBe(4);
    expect(await answerOf(send(reseller.context(), async () => 2))).toEqual({ body: "1", isReplayed: true });
  });

  test("while the key is released: it is released soon after, and the caller does not wait", async () => {
    const { db } = away(world.db, "release_idempotency_key", 2);
    const refused = send({ ...reseller.context(), db }, refuse("insufficient_balance"));
    expect(await codeOf(refused)).toBe("insufficient_balance");
    await expect
      .poll(() => answerOf(send(reseller.context(), async () => 1)).catch(() => null))
      .toMatchObject({ body: "1" });
  });

  test("whose response to a store is lost: the answer is stored once and is the request's own", async () => {
    let lost = false;
    const query: Database["query"] = async (statement, values) => {
      const rows = await world.db.query(statement, values);
      if (statement.name !== "store_idempotent_answer" || lost) return rows;
      lost = true;
      throw unavailable();
    };
    const ctx = { ...reseller.context(), db: { ...world.db, query } };
    expect(await answerOf(send(ctx, async () => 1))).toEqual({ body: "1", isReplayed: false });
  });
});

describe.each([
  ["a reseller", () => twoInstances()],
  [
    "an admin",
    async () => {
      const { id } = await world.db.prisma.user.create({
        data: { email: `${randomUUID()}@desk.example`, name: "Admin", passwordHash: "", role: "owner" },
      });
      return twoInstances({ kind: "admin", userId: id as UserId, resellerId: null, role: "owner" });
    },
  ],
])("a request of %s whose process was declared dead", (_, instances) => {
  test("answers with the outcome of its replacement, whose answer stays", async () => {
    const { first, inFirst, inSecond } = await instances();
    const { pass, reached, open } = gate();
    const held = send(inFirst, async () => {
      await pass();
      return "first";
    });
    await reached;
    expect(await codeOf(send(inSecond, async () => "second"))).toBe("idempotency_in_progress");
    await first.fallAsleep();
    expect(await answerOf(send(inSecond, async () => "second"))).toEqual({ body: '"second"', isReplayed: false });
    await first.wakeUp();
    open();
    expect(await answerOf(held)).toEqual({ body: '"second"', isReplayed: true });
    expect(await answerOf(send(inSecond, async () => "third"))).toEqual({ body: '"second"', isReplayed: true });
  });

  test.each([
    ["a refusal", refuse("state_invalid")],
    ["a transient refusal", refuse("insufficient_balance")],
  ])("does not store or release anything for %s", async (_, ending) => {
    const { first, inFirst, inSecond } = await instances();
    const [sleep, run] = [gate(), gate()];
    const held = send(inFirst, async () => {
      await sleep.pass();
      return ending();
    }).catch(({ code }) => code);
    await sleep.reached;
    await first.fallAsleep();
    const second = send(inSecond, async () => {
      await run.pass();
      return "second";
    });
    await run.reached;
    sleep.open();
    expect(await held).toMatch(/^(idempotency_in_progress|insufficient_balance)$/);
    expect(await codeOf(send(inSecond, async () => "third"))).toBe("idempotency_in_progress");
    run.open();
    expect(await answerOf(second)).toEqual({ body: '"second"', isReplayed: false });
    expect(await answerOf(send(inSecond, async () => "third"))).toEqual({ body: '"second"', isReplayed: true });
  });

  test("keeps its key if no other request has claimed it", async () => {
    const { first, inFirst } = await instances();
    const asleep = send(inFirst, async () => {
      await first.fallAsleep();
      await first.wakeUp();
      return "first";
    });
    expect(await answerOf(asleep)).toEqual({ body: '"first"', isReplayed: false });
  });
});

test("a request that has lost its key starts no operation", async () => {
  const { first, inFirst, inSecond } = twoInstances();
  const { licenseId } = await reseller.register();
  const { pass, reached, open } = gate();
  const query: Database["query"] = async (statement, values) => {
    if (statement.name === "hold_operations") await pass();
    return world.db.query(statement, values);
  };
  const renew = async (ctx: ServiceContext) => (await renewLicense(ctx, { licenseId })).operation.id;
  const held = send({ ...inFirst, db: { ...world.db, query } }, renew);
  await reached;
  await first.fallAsleep();
  const second = await answerOf(send(inSecond, renew));
  expect(second.isReplayed).toBe(false);
  open();
  const late = await answerOf(held).catch(({ code }) => code);
  expect([{ ...second, isReplayed: true }, "idempotency_in_progress", "operation_in_progress"]).toContainEqual(late);
  expect((await reseller.operations()).filter(({ kind }) => kind === "license_renew")).toHaveLength(1);
  expect(await answerOf(send(inFirst, renew))).toEqual({ ...second, isReplayed: true });
});
