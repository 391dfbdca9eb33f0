import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdOperation } from "#lib/db/operation/hold.ts";
import { settleOperation } from "#lib/db/operation/outcome.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { PLAN_VERSION } from "#lib/domain/operation-plan.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { postLedgerEntry } from "./wallet.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld({ poolSize: 4 });
});
afterAll(() => world.close());

/** The expected wallet, by arithmetic only. */
interface Model {
  posted: bigint;
  readonly holds: Map<string, { readonly hold: bigint; readonly price: bigint }>;
  readonly entries: bigint[];
}

const heldOf = ({ holds }: Model) => [...holds.values()].reduce((sum, { hold }) => sum + hold, 0n);

type Step =
  | { readonly kind: "hold"; readonly price: bigint }
  | { readonly kind: "settle"; readonly which: number; readonly succeeded: boolean }
  | { readonly kind: "post"; readonly amount: bigint };

const amount = fc.bigInt({ min: 1n, max: 6_000n });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("hold" as const), price: amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("hold" as const), price: amount.map((value) => -value) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("settle" as const), which: fc.nat(6), succeeded: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("post" as const), amount }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("post" as const), amount: amount.map((value) => -value) }) },
);

const effects = { licenses: [], events: [] };

async function run(reseller: ResellerWorld, model: Model, action: Step): Promise<void> {
  const now = world.now();
  switch (action.kind) {
    case "hold": {
      const id = randomUUID();
      const hold = action.price > 0n ? action.price : 0n;
      const holding = holdOperation(world.db, {
        operation: {
          id,
          kind: "license_suspend",
          reseller_id: reseller.id,
          license_id: null,
          bundle_instance_id: null,
          hold_amount: hold,
          price: action.price,
          currency: null,
          plan: {
            version: PLAN_VERSION,
            provider: "sandbox",
            steps: [],
            onSuccess: effects,
            onRejection: effects,
            facts: {},
          },
          actor: "test",
          request_id: "req_test",
          owner_id: id,
          lease_token: id,
          created_at: now,
        },
        newLicenses: [],
        newInstance: null,
        lockLicenses: [],
        claims: [],
        idempotencyKey: null,
      });
      if (action.price < 0n) {
        await expect(holding).rejects.toThrow("has invalid core credits");
        return;
      }
      const held = await refusedIsNull(holding);
      expect(held !== null).toBe(model.posted - heldOf(model) >= hold);
      if (held) model.holds.set(id, { hold, price: action.price });
      return;
    }
    case "settle": {
      const id = [...model.holds.keys()][action.which];
      const settledId = id ?? randomUUID();
      const settlement = { succeeded: action.succeeded, failureMessage: null, references: {}, reconciled: false };
      const settled = await settleOperation(
        world.db,
        { token: settledId },
        { id: settledId, reseller_id: reseller.id },
        settlement,
        now,
      );
      expect(settled !== null).toBe(id !== undefined);
      if (id === undefined) return;
      const price = model.holds.get(id)?.price ?? 0n;
      model.holds.delete(id);
      if (!action.succeeded) return;
      model.posted -= price;
      model.entries.push(-price);
      return;
    }
    case "post": {
      const posting = {
        kind: "adjustment",
        counterAccount: "adjustments",
        reference: null,
        note: "",
        actor: "test",
      } as const;
      const input = { ...posting, resellerId: reseller.id, amount: action.amount, event: null };
      const posted = await refusedIsNull(postLedgerEntry(world.db, input, now));
      expect(posted !== null).toBe(model.posted + action.amount - heldOf(model) >= 0n);
      if (posted === null) return;
      model.posted += action.amount;
      model.entries.push(action.amount);
      return;
    }
    default:
      action satisfies never;
  }
}

async function refusedIsNull<Value>(promise: Promise<Value>): Promise<Value | null> {
  return promise.catch((error) => {
    if (isDomainError(error) && error.code === "insufficient_balance") return null;
    throw error;
  });
}

test("after any sequence of holds, settlements and postings the wallet is arithmetically correct, its ledger adds up to it, and nothing is credited without a lot", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const reseller = await world.reseller({ funds: "100" });
      const model: Model = { posted: 10_000n, holds: new Map(), entries: [10_000n] };
      for (const action of steps) await run(reseller, model, action);
      expect(await reseller.wallet()).toMatchObject({ posted: model.posted, held: heldOf(model) });
      expect(await reseller.entries()).toEqual(model.entries);
      expect(await reseller.difference()).toBeNull();
    }),
    { numRuns: 60 },
  );
  await expectBooksToAgree(world.db);
});
