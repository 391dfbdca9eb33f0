import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startOperationWorker } from "#lib/operation-worker.ts";
import { sql } from "#tests/sql.ts";
import { clearRehearsed, codeOf, rehearsed } from "#tests/support/faults.ts";
import { createInbox } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { INBOX_AFTER_MS, newWorld, type World } from "#tests/support/world.ts";
import { reconcileOpenOperation } from "./reconcile.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  await world.db.query(sql("delete from reconciliation_cases"), []);
  await clearRehearsed(world);
  reseller = await world.reseller();
});
afterAll(() => world.close());

/** A registration whose outcome is unknown, with a plan as another version might have written it. */
async function registerAs(change: string): Promise<string> {
  const { operation } = await reseller.register({ ip: rehearsed.garblesAnswer });
  expect(operation.state).toBe("unknown");
  await world.db.query(sql(`update operations set plan = ${change}, ask_at = null where id = $1`), [operation.id]);
  return operation.id;
}

const licenses = () => world.db.query(sql("select * from licenses where reseller_id = $1"), [reseller.id]);
const operations = () =>
  world.db.query(sql("select state, hold_amount, settled_at, balance_after from operations where reseller_id = $1"), [
    reseller.id,
  ]);
const everything = async () => [await licenses(), await operations(), await reseller.entries(), await world.books()];

const otherVersions = {
  "a version to come": `jsonb_set(plan, '{version}', '2')`,
  "no version": `plan - 'version'`,
  "no steps": `plan - 'steps'`,
  "an action that is not known": `jsonb_set(plan, '{steps,0,request,action}', '"clone"')`,
  "an effect that is not known": `jsonb_set(plan, '{onSuccess,licenses,0,color}', '"red"')`,
  "an effect that is no number": `jsonb_set(plan, '{onSuccess,licenses,0,cores}', '"two"')`,
  "the facts of another kind": `jsonb_set(plan, '{facts}', '{"oldIp": "198.51.100.1"}')`,
} as const;

describe.each(Object.entries(otherVersions))("a plan with %s", (_, change) => {
  test("is not carried out: the operation stays as it is, and is looked at again later", async () => {
    const operationId = await registerAs(change);
    const before = await everything();
    const lookUp = vi.spyOn(world.provider, "lookUp");
    const reconciling = reconcileOpenOperation(world.operator, { operationId, early: true });
    expect(await codeOf(reconciling)).toBe("internal");
    expect(lookUp).not.toHaveBeenCalled();
    expect(await everything()).toEqual(before);
    expect(await reconcileOpenOperation(world.operator, { operationId, early: false })).toBeNull();
    const [row] = await world.db.query(sql("select owner_id, ask_at > now() as later from operations where id = $1"), [
      operationId,
    ]);
    expect(row).toEqual({ owner_id: null, later: true });
  });
});

test("the worker logs what it cannot read, and settles the others", async () => {
  const unreadable = await registerAs(otherVersions["a version to come"]);
  await clearRehearsed(world);
  const readable = await registerAs("plan");
  const errors: unknown[] = [];
  const settled: string[] = [];
  const worker = startOperationWorker(world.operator, {
    logError: (error) => errors.push(error),
    logSettled: ({ operationId }) => settled.push(operationId),
    sweepEveryMs: 10,
  });
  await vi.waitFor(() => expect(settled).toContain(readable), 10_000);
  await vi.waitFor(() => expect(String((errors[0] as Error).cause)).toContain(unreadable), 10_000);
  await worker.stop(5_000);
  expect(settled).not.toContain(unreadable);
});

test("it becomes a case, and no decision of an admin carries it out", async () => {
  const inbox = createInbox(world);
  const id = await registerAs(otherVersions["an effect that is not known"]);
  world.advance(INBOX_AFTER_MS + 1_000);
  await inbox.compare();
  const found = (await inbox.openCases()).find(({ operationId }) => operationId === id);
  expect(found).toMatchObject({ kind: "unknown_outcome" });
  const before = await everything();
  for (const action of ["adopt", "refund", "ask_again"] as const)
    expect(await codeOf(inbox.act(found?.id ?? 0, action)), action).toBe("internal");
  expect(await everything()).toEqual(before);
});
