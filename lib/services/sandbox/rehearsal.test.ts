import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type RehearsedOutcome, rehearsedOutcomes } from "#lib/domain/simulation.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf, userOf } from "#tests/support/sandbox.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getRehearsal, setRehearsal } from "./rehearsal.ts";

let world: World;
let live: ResellerWorld;
let sandbox: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  live = await world.reseller();
  sandbox = await sandboxOf(world, live);
});
afterAll(() => world.close());

const user = (reseller: ResellerWorld) => userOf(world, reseller);

describe("rehearsals", () => {
  const ends: Record<RehearsedOutcome, { first: string; charged: boolean }> = {
    reject: { first: "registration_rejected", charged: false },
    lose_answer: { first: "pending", charged: true },
    lose_request: { first: "pending", charged: false },
    slow: { first: "pending", charged: true },
    garble: { first: "pending", charged: true },
    refuse_connection: { first: "provider_unavailable", charged: false },
  };

  test.each(rehearsedOutcomes)("%s, for as many requests as asked, and only here", async (outcome) => {
    await setRehearsal(user(sandbox), { outcome, remaining: 1 });
    const elsewhere = await sandboxOf(world, await world.reseller());
    expect((await elsewhere.register()).operation.state).toBe("succeeded");
    const before = await sandbox.spendable();
    const first = await sandbox.register().then(
      ({ pending }) => (pending ? "pending" : "succeeded"),
      ({ code }) => code,
    );
    expect(first).toBe(ends[outcome].first);
    expect(await getRehearsal(user(sandbox))).toBeNull();
    world.advance(120_000);
    await reconcileOperations(world.operator, { early: true });
    expect((await sandbox.spendable()) < before).toBe(ends[outcome].charged);
    expect(await sandbox.wallet()).toMatchObject({ held: 0n });
    expect((await sandbox.register()).pending).toBe(false);
  });

  test.each([-1, 101, 1.5, Number.NaN])("not for %s requests", async (remaining) => {
    expect(await codeOf(setRehearsal(user(sandbox), { outcome: "reject", remaining }))).toBe("parameters_invalid");
  });
});
