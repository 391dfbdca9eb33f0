/** Random histories of all valid and invalid movements of money; rejected ones are skipped. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { holdOperation } from "#lib/db/operation/hold.ts";
import { settleOperation } from "#lib/db/operation/outcome.ts";
import { refundOperation } from "#lib/db/wallet/refund.ts";
import { decideTopUpRequest, insertTopUpRequest } from "#lib/db/wallet/top-up.ts";
import { postLedgerEntry } from "#lib/db/wallet/wallet.ts";
import { PLAN_VERSION } from "#lib/domain/operation-plan.ts";
import { sql } from "#tests/sql.ts";
import { findBrokenInvariants } from "./invariants.ts";
import type { ResellerWorld } from "./reseller.ts";
import type { World } from "./world.ts";

type Step =
  | { readonly do: "hold"; readonly price: bigint; readonly renewsTerm: boolean }
  | { readonly do: "settle"; readonly which: number; readonly succeeded: boolean }
  | { readonly do: "post"; readonly amount: bigint; readonly reference: string | null }
  | { readonly do: "refund"; readonly which: number; readonly amount: bigint | null }
  | { readonly do: "request" }
  | { readonly do: "decide"; readonly which: number; readonly approve: boolean }
  | { readonly do: "tamper"; readonly text: string };

const amount = fc.bigInt({ min: 1n, max: 6_000n });
const which = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("hold" as const), price: amount, renewsTerm: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("settle" as const), which, succeeded: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("post" as const),
      amount: fc.oneof(
        amount,
        amount.map((minor) => -minor),
      ),
      reference: fc.constantFrom("a", "b", null),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("refund" as const), which, amount: fc.option(amount) }) },
  { weight: 2, arbitrary: fc.constant({ do: "request" as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("decide" as const), which, approve: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("tamper" as const),
      text: fc.constantFrom(
        "update ledger_entries set amount = amount + 1",
        "delete from ledger_entries where id in (select max(id) from ledger_entries)",
      ),
    }),
  },
);

interface History {
  readonly operationIds: string[];
  readonly requestIds: number[];
}

const effects = { licenses: [], events: [] };

async function play(world: World, reseller: ResellerWorld, { operationIds, requestIds }: History, action: Step) {
  const { db } = world;
  const now = world.now();
  const by = { actor: "test", requestId: "", now };
  switch (action.do) {
    case "hold": {
      const facts = {
        startsAt: now.toISOString(),
        newExpiry: now.toISOString(),
        ...(action.renewsTerm ? { renewsTerm: `license:${reseller.id}:a term` } : {}),
      };
      const id = randomUUID();
      const operation = {
        id,
        kind: "license_renew" as const,
        reseller_id: reseller.id,
        license_id: null,
        bundle_instance_id: null,
        hold_amount: action.price,
        price: action.price,
        currency: null,
        plan: {
          version: PLAN_VERSION,
          provider: "sandbox",
          steps: [],
          onSuccess: effects,
          onRejection: effects,
          facts,
        },
        actor: "test",
        request_id: "req_test",
        owner_id: id,
        lease_token: id,
        created_at: now,
      };
      operationIds.push(operation.id);
      await holdOperation(db, {
        operation,
        newLicenses: [],
        newInstance: null,
        lockLicenses: [],
        claims: [],
        idempotencyKey: null,
      });
      return;
    }
    case "settle": {
      const settlement = { succeeded: action.succeeded, failureMessage: null, references: {}, reconciled: false };
      const id = operationIds.at(-1 - action.which) ?? randomUUID();
      await settleOperation(db, { token: id }, { id, reseller_id: reseller.id }, settlement, now);
      return;
    }
    case "post": {
      const posting = {
        kind: "adjustment",
        counterAccount: "adjustments",
        note: "",
        actor: "test",
        event: null,
      } as const;
      await postLedgerEntry(db, { ...posting, ...action, resellerId: reseller.id }, now);
      return;
    }
    case "refund": {
      const refund = {
        amount: action.amount,
        reference: null,
        note: "",
        actor: "test",
        audit: { action: "wallet.refund" as const, data: {}, requestId: "" },
      };
      await refundOperation(db, { ...refund, operationId: operationIds.at(-1 - action.which) ?? randomUUID() }, now);
      return;
    }
    case "request": {
      const request = { amount: 700n, reference: randomUUID(), method: "cash", note: "" } as const;
      const stored = await insertTopUpRequest(db, { ...request, resellerId: reseller.id }, 1_000_000, by);
      requestIds.push(stored?.id ?? 0);
      return;
    }
    case "decide": {
      const decision = { approve: action.approve, amount: null, note: "", eventId: randomUUID() };
      await decideTopUpRequest(db, { ...decision, requestId: requestIds.at(-1 - action.which) ?? 0 }, by);
      return;
    }
    case "tamper":
      await db.query(sql(action.text), []);
      return;
    default:
      action satisfies never;
  }
}

/** Checks the books after each of many histories, up to the first violation. */
export async function checkHistories(world: World, options: { readonly seed: number; readonly numRuns: number }) {
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
    const reseller = await world.reseller({ funds: "100" });
    const history: History = { operationIds: [], requestIds: [] };
    for (const action of steps) await play(world, reseller, history, action).catch(() => {});
    return Object.keys(await findBrokenInvariants(world.db)).length === 0;
  });
  return fc.check(property, { ...options, endOnFailure: true });
}
