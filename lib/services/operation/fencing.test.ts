import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { withQuery } from "#lib/db/connection/with-query.ts";
import { holdOperation } from "#lib/db/operation/hold.ts";
import { findOperation } from "#lib/db/operation/operation.ts";
import { markOperationSent, markOperationUnknown, settleOperation } from "#lib/db/operation/outcome.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { claimKey, storeAnswer } from "#lib/services/idempotency/claim.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { clearRehearsed, codeOf, ip, rehearsed } from "#tests/support/faults.ts";
import { holdOf } from "#tests/support/holds.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { createTestProcess, staleLease } from "#tests/support/process.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { reconcileOperations } from "./reconcile.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  await clearRehearsed(world);
  reseller = await world.reseller();
});
afterAll(() => world.close());

/** Runs `meanwhile` right before the first statement with this name. */
function interrupted(ctx: ServiceContext, statementName: string, meanwhile: () => Promise<unknown>): ServiceContext {
  let happened = false;
  const query: typeof ctx.db.query = async (statement, values) => {
    if (statement.name === statementName && !happened) {
      happened = true;
      await meanwhile();
    }
    return ctx.db.query(statement, values);
  };
  return { ...ctx, db: withQuery(ctx.db, query) };
}

function otherProcess(): ServiceContext {
  return { ...world.operator, leases: createTestProcess(world.db).leases };
}

async function register(ctx: ServiceContext, address: string = world.freshIp()) {
  return registerLicense(ctx, { ...(await world.offer(reseller.id, "control_panel")), ipAddress: ip(address) });
}

const sentFor = async (address: string) =>
  (await world.books()).filter(({ ipAddress }) => ipAddress === address).length;

test("a process that has slept for more than a minute before its hold asks to repeat, and changes nothing", async () => {
  const before = await reseller.spendable();
  const ctx = interrupted(reseller.context(), "find_product_purchase", async () => {
    const wokeMs = Date.now() + 61_000;
    vi.spyOn(Date, "now").mockReturnValue(wokeMs);
  });
  expect(await codeOf(register(ctx).finally(() => vi.restoreAllMocks()))).toBe("unavailable");
  expect(await reseller.operations()).toEqual([]);
  expect(await reseller.spendable()).toBe(before);
  await register(reseller.context());
});

describe.each([
  ["before it marks the operation as sent", "mark_operation_sent"],
  ["before it settles", "settle_operations"],
])("a process that stalls %s until another has settled its operation", (_, statement) => {
  test("writes nothing more, and answers with what the other recorded", async () => {
    const address = world.freshIp();
    const ctx = interrupted(reseller.context(), statement, async () => {
      await world.process.fallAsleep();
      expect(await reconcileOperations(otherProcess(), { early: true })).toMatchObject({ asked: 1, stillOpen: 0 });
      await world.process.wakeUp();
    });
    const done = statement === "settle_operations";
    if (done) expect(await register(ctx, address)).toMatchObject({ pending: false });
    else expect(await codeOf(register(ctx, address))).toBe("unavailable");
    expect(await sentFor(address)).toBe(done ? 1 : 0);
    expect(await reseller.entries()).toEqual(done ? [100_000n, -1450n] : [100_000n]);
    await expectBooksToAgree(world.db);
  });
});

test("a process that stalled continues an operation that has no other owner", async () => {
  const ctx = interrupted(reseller.context(), "mark_operation_sent", async () => {
    await world.process.fallAsleep();
    await world.process.wakeUp();
  });
  expect(await register(ctx)).toMatchObject({ pending: false });
  const [operation] = await reseller.operations();
  expect(operation).toMatchObject({ state: "succeeded", attempt: 1 });
});

test("nothing is sent once another process has claimed the operation, even if the stalled one has not noticed", async () => {
  const address = world.freshIp();
  const provider = {
    ...world.provider,
    execute: async (...[request, maySend]: Parameters<typeof world.provider.execute>) => {
      await world.process.fallAsleep();
      await reconcileOperations(otherProcess(), { early: true });
      await world.process.wakeUp();
      return world.provider.execute(request, maySend);
    },
  };
  const ctx = { ...reseller.context(), providers: new Map([["sandbox", provider]]) };
  expect(await codeOf(register(ctx, address))).toBe("unavailable");
  expect(await sentFor(address)).toBe(0);
  await expectBooksToAgree(world.db);
});

test("a request sent after another process settled the operation is already void at the provider", async () => {
  const address = world.freshIp();
  const provider = {
    ...world.provider,
    execute: async (...[request]: Parameters<typeof world.provider.execute>) => {
      await world.process.fallAsleep();
      await reconcileOperations(otherProcess(), { early: true });
      return world.provider.execute(request, () => true);
    },
  };
  const ctx = { ...reseller.context(), providers: new Map([["sandbox", provider]]) };
  expect(await codeOf(register(ctx, address))).toBe("unavailable");
  expect(await sentFor(address)).toBe(0);
  await world.process.wakeUp();
  await expectBooksToAgree(world.db);
});

test("a request is sent again for its stored answer by its owner alone, until it counts as lost", async () => {
  const { operation } = await register(reseller.context(), rehearsed.losesAnswer);
  const maySend: (boolean | undefined)[] = [];
  const provider = {
    ...world.provider,
    lookUp: async (...[, options]: Parameters<typeof world.provider.lookUp>) => {
      maySend.push(options?.maySend?.());
      await world.process.fallAsleep();
      await world.process.wakeUp();
      maySend.push(options?.maySend?.());
      return { kind: "unreachable", message: "No answer." } as const;
    },
  };
  for (const minutesLater of [1, 11]) {
    const now = () => new Date(world.now().getTime() + minutesLater * 60_000);
    const ctx = { ...world.operator, now, providers: new Map([["sandbox", provider]]) };
    await reconcileOperations(ctx, { early: true });
  }
  expect(maySend).toEqual([true, false, false, false]);
  await reconcileOperations(world.operator, { early: true });
  expect((await findOperation(world.db, operation.id))?.state).toBe("succeeded");
});

test("no write with another token changes an operation", async () => {
  const { operation } = await register(reseller.context(), rehearsed.losesAnswer);
  const stale = staleLease();
  const settlement = { succeeded: true, failureMessage: null, references: {}, reconciled: false };
  expect(await settleOperation(world.db, stale, operation, settlement, world.now())).toBeNull();
  expect(await markOperationSent(world.db, stale, operation, world.now())).toBe(false);
  await markOperationUnknown(world.db, stale, operation, { message: "stale", askAfterMs: 0, now: world.now() });
  expect(await findOperation(world.db, operation.id)).toEqual(operation);
  await reconcileOperations(world.operator, { early: true });
});

test("in one statement with the current claim, a stale one of the same operation marks and settles nothing", async () => {
  const hold = holdOf({ resellerId: reseller.id, price: 0n, now: world.now() });
  const { operation } = hold;
  await holdOperation(world.db, hold);
  const claims = [staleLease(), staleLease(operation.lease_token)];
  const marks = claims.map((claim) => markOperationSent(world.db, claim, operation, world.now()));
  expect(await Promise.all(marks)).toEqual([false, true]);
  const settlement = { succeeded: true, failureMessage: null, references: {}, reconciled: false };
  const settled = claims.map((claim) => settleOperation(world.db, claim, operation, settlement, world.now()));
  expect(await Promise.all(settled)).toEqual([null, expect.objectContaining({ state: "succeeded" })]);
});

describe("an idempotency key that another request has claimed", () => {
  const claim = { key: "order-1", requestHash: Buffer.alloc(32, 1) };
  const claimed = async (ctx: ServiceContext) => {
    const found = await claimKey(ctx, claim);
    return found.kind === "claimed" ? found.ctx : expect.unreachable();
  };

  test("starts no second operation, whether the other has started one or not", async () => {
    const stalled = await claimed(reseller.context());
    await world.process.fallAsleep();
    const successor = await claimed({ ...reseller.context(), leases: otherProcess().leases });
    expect(await codeOf(register(stalled))).toBe("idempotency_in_progress");
    expect(await register(successor)).toMatchObject({ pending: false });
    expect(await register(stalled), "started by the other").toMatchObject({ pending: false });
    expect(await reseller.entries()).toEqual([100_000n, -1450n]);
    await world.process.wakeUp();
    await expectBooksToAgree(world.db);
  });

  test("stores no answer", async () => {
    const stalled = await claimed(reseller.context());
    await world.process.fallAsleep();
    const successor = await claimed({ ...reseller.context(), leases: otherProcess().leases });
    expect(await storeAnswer(stalled, { status: 200, body: "1" })).toBe(false);
    await storeAnswer(successor, { status: 200, body: "2" });
    expect(await claimKey(reseller.context(), claim)).toMatchObject({ answer: { body: "2" } });
    await world.process.wakeUp();
  });
});
