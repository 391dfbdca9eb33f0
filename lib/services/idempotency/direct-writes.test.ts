import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DomainError } from "#lib/domain/errors.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { createFaultyDatabase, type Fault, ProcessDied } from "#tests/support/faulty-database.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { answerOnce } from "./answer-once.ts";

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
const admin = () => world.context(actors.admin(reseller.id));
const topUp = async (ctx: ServiceContext) => {
  const { postedAfter } = await topUpWallet(ctx, { resellerId: reseller.id, amount: "10", note: "" });
  return String(postedAfter);
};
const send = (ctx: ServiceContext, work = topUp) =>
  answerOnce(
    ctx,
    { key: "form", requestHash: Buffer.alloc(32) },
    {
      answer: async (claimed) => ({ status: OK, body: await work(claimed) }),
      refuse: (error) => (error.code === "state_invalid" ? { status: REFUSED, body: error.code } : null),
    },
  );
/** Top-ups after the reseller's first one. */
const topUps = async () =>
  (
    await world.db.query(
      sql<{
        posted_after: bigint;
      }>(`select e.posted_after from ledger_entries e join wallets w on w.reseller_id = e.reseller_id
              where w.reseller_id = $1 order by e.id offset 1`),
      [reseller.id],
    )
  ).map((entry) => String(entry.posted_after));

const statements = ["claim_idempotency_key", "begin", "post_ledger_entry", "store_idempotent_answer", "commit"];
const faulty = (fault: Fault | null) => createFaultyDatabase(world.db, fault, (name) => statements.includes(name));

test("the write and the answer are committed together", async () => {
  const names: string[] = [];
  const { db } = createFaultyDatabase(world.db, null, (name) => names.push(name) > 0);
  const { answer } = await send({ ...admin(), db });
  expect(await topUps()).toEqual([answer.body]);
  expect(names.filter((name) => statements.includes(name))).toEqual(statements);
});

describe.each(statements.map((name, position) => ({ name, at: position + 1 })))(
  "a process that dies at $name",
  ({ at }) => {
    test.each(["before", "after"] as const)(
      "%s it: repeated, the request has one effect and one answer",
      async (when) => {
        const { db } = faulty({ at, when, kind: "crash" });
        await expect(send({ ...admin(), db })).rejects.toThrow(ProcessDied);
        await world.crash();
        const { answer } = await send(admin());
        expect(await topUps()).toEqual([answer.body]);
        expect(await send(admin())).toEqual({ answer, isReplayed: true });
      },
    );
  },
);

describe.each(statements.map((name, position) => ({ name, at: position + 1 })))(
  "a database that fails at $name",
  ({ at }) => {
    test.each(["before", "after"] as const)("%s it: answered or repeated, the request has one effect", async (when) => {
      const { db } = faulty({ at, when, kind: "blip" });
      const first = await send({ ...admin(), db }).catch(({ code }) => code);
      expect(first === "unavailable" || first.isReplayed === false).toBe(true);
      await expect.poll(() => send(admin()).catch(({ code }) => code)).toHaveProperty("answer");
      const { answer } = await send(admin());
      if (first !== "unavailable") expect(first.answer).toEqual(answer);
      expect(await topUps()).toEqual([answer.body]);
    });
  },
);

describe("a process that is paused after writing, until another one has its key", () => {
  test.each(["post_ledger_entry", "store_idempotent_answer"])(
    "at %s: commits nothing, and answers with the other's outcome",
    async (name) => {
      const { db, paused, resume } = faulty({ at: statements.indexOf(name) + 1, when: "before", kind: "pause" });
      const first = send({ ...admin(), db });
      await paused;
      await world.crash();
      const second = await send(admin());
      resume();
      expect(await first).toEqual({ answer: second.answer, isReplayed: true });
      expect(await topUps()).toEqual([second.answer.body]);
    },
  );
});

test("a rejected request's writes are not committed, whether the error is stored or not", async () => {
  for (const code of ["conflict", "state_invalid"] as const) {
    const refused = send(admin(), async (ctx) => {
      await topUp(ctx);
      throw new DomainError(code, "Refused.");
    });
    expect(await codeOf(refused)).toBe(code);
  }
  expect(await topUps()).toEqual([]);
  expect((await send(admin())).answer).toEqual({ status: REFUSED, body: "state_invalid" });
});

test("a request reads its own writes, which no one else sees before it is answered", async () => {
  const posted = async (ctx: ServiceContext) => {
    const text = "select posted from wallets where reseller_id = $1";
    return (await ctx.db.query(sql<{ posted: bigint }>(text), [reseller.id]))[0]?.posted;
  };
  await send(admin(), async (ctx) => {
    expect(await posted(ctx)).toBe(100_000n);
    const id = await topUp(ctx);
    expect(await posted(ctx)).toBe(101_000n);
    expect(await posted(admin())).toBe(100_000n);
    return id;
  });
  expect(await posted(admin())).toBe(101_000n);
});

test("without a key every write is its own transaction", () => {
  const ctx = admin();
  expect(writesOf(ctx)).toBe(ctx.db);
});

test("no operation starts inside a transaction, which would stay open during the provider call", async () => {
  const { licenseId } = await reseller.register();
  const mixed = send(reseller.context(), async (ctx) => {
    await writesOf(ctx).query(sql("update licenses set notes = '' where id = $1"), [licenseId]);
    return (await renewLicense(ctx, { licenseId })).operation.id;
  });
  await expect(mixed).rejects.toThrow("an operation cannot start inside a transaction");
});
