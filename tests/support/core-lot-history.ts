/** Random histories of one license's cores with valid and invalid plans; rejected steps are skipped. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { holdOperation, type SeenLicense } from "#lib/db/operation/hold.ts";
import { settleOperation } from "#lib/db/operation/outcome.ts";
import { compareWallets } from "#lib/db/wallet/comparison.ts";
import { refundOperation } from "#lib/db/wallet/refund.ts";
import type { OperationPlan } from "#lib/domain/operation-plan.ts";
import { PLAN_VERSION } from "#lib/domain/operation-plan.ts";
import { sql } from "#tests/sql.ts";
import type { ResellerWorld } from "./reseller.ts";
import type { World } from "./world.ts";

export type CoreStep =
  | {
      readonly do: "add";
      readonly cores: number;
      readonly price: bigint;
      /** The part of the price that is in no lot. */
      readonly missing: bigint;
      /** Cores that the license already has. */
      readonly again?: true;
    }
  | {
      readonly do: "remove";
      readonly cores: number;
      readonly lot: number;
      /** Of the original charge. */
      readonly percent: bigint;
      readonly days: number;
      /** Difference between the price and the lots. */
      readonly off: bigint;
    }
  | { readonly do: "settle"; readonly succeeded: boolean }
  | { readonly do: "refund"; readonly which: number; readonly amount: bigint | null }
  | { readonly do: "adopt"; readonly cores: number }
  | { readonly do: "extend" }
  | { readonly do: "wait" }
  | { readonly do: "tamper"; readonly text: string };

/** Something to credit and to refund. */
const firstSteps: readonly CoreStep[] = [
  { do: "add", cores: 5, price: 600n, missing: 0n },
  { do: "settle", succeeded: true },
];

const is = <Name extends string>(name: Name) => fc.constant(name);
const cores = fc.integer({ min: 1, max: 6 });
const step: fc.Arbitrary<CoreStep> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: is("add"),
      cores,
      price: fc.bigInt({ min: 0n, max: 900n }),
      missing: fc.constantFrom(0n, 0n, 0n, 1n),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: is("remove"),
      cores,
      lot: fc.constantFrom(0, 0, 1),
      percent: fc.constantFrom(100n, 100n, 40n, 110n),
      days: fc.constantFrom(0, 0, 0, -3),
      off: fc.constantFrom(0n, 0n, 0n, 1n),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: is("settle"), succeeded: fc.constantFrom(true, true, true, false) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: is("refund"),
      which: fc.constantFrom(0, 0, 1),
      amount: fc.constantFrom(null, null, 50n),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: is("adopt"), cores }) },
  { weight: 1, arbitrary: fc.constant<CoreStep>({ do: "extend" }) },
  { weight: 2, arbitrary: fc.constant<CoreStep>({ do: "wait" }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: is("tamper"),
      text: fc.constantFrom(
        "update core_lots set amount = amount + 1 where operation_id is not null",
        "update core_lots set removed_cores = removed_cores + 1",
        "update core_credits set cores = cores + 1",
        "update paid_terms set starts_at = starts_at + interval '1 day'",
      ),
    }),
  },
);

interface History {
  readonly reseller: ResellerWorld;
  readonly licenseId: number;
  readonly key: string;
  /** The newest last. */
  readonly operationIds: string[];
  readonly additionIds: string[];
}

const DAY_MS = 86_400_000;
const nothing = { licenses: [], events: [] };

async function hold(
  world: World,
  history: History,
  price: bigint,
  plan: Partial<Omit<OperationPlan, "version">>,
): Promise<void> {
  const { reseller, licenseId, operationIds, additionIds } = history;
  const id = randomUUID();
  await holdOperation(world.db, {
    operation: {
      id,
      kind: "license_change_core",
      reseller_id: reseller.id,
      license_id: licenseId,
      bundle_instance_id: null,
      hold_amount: price > 0n ? price : 0n,
      price,
      currency: "USD",
      plan: {
        version: PLAN_VERSION,
        provider: "sandbox",
        steps: [],
        onSuccess: nothing,
        onRejection: nothing,
        facts: { oldCores: 1 },
        ...plan,
      },
      actor: "test",
      request_id: "req_test",
      owner_id: id,
      lease_token: id,
      created_at: world.now(),
    },
    newLicenses: [],
    newInstance: null,
    lockLicenses: await world.db.query(
      sql<SeenLicense>("select id, xmin::text as version from licenses where id = $1"),
      [licenseId],
    ),
    claims: [],
    idempotencyKey: null,
  });
  operationIds.push(id);
  if (price > 0n) additionIds.push(id);
}

async function play(world: World, history: History, action: CoreStep): Promise<void> {
  const { db } = world;
  const now = world.now();
  const { licenseId, key, operationIds, additionIds } = history;
  const present = (await db.prisma.license.findFirstOrThrow({ where: { id: licenseId } })).cores ?? 1;
  const editLicense = (change: string) =>
    db.query(sql(`update licenses set ${change}, updated_at = $2 where id = $1 and open_operation_id is null`), [
      licenseId,
      now,
    ]);
  switch (action.do) {
    case "add": {
      const term = await db.prisma.paidTerm.findFirstOrThrow({ where: { licenseId }, orderBy: { id: "asc" } });
      const [startsAt, endsAt] = [now.toISOString(), term.endsAt.toISOString()];
      const lot = { key, paidTermId: term.id, cores: action.cores, startsAt, endsAt };
      const coreLots = [{ ...lot, amount: (action.price - action.missing).toString() }];
      const licenses = [{ key, cores: action.again ? present : present + action.cores }];
      return hold(world, history, action.price, { onSuccess: { ...nothing, licenses, coreLots } });
    }
    case "remove": {
      const lots = await db.prisma.coreLot.findMany({ where: { licenseId }, orderBy: { id: "desc" } });
      const lot = lots[action.lot];
      if (!lot) return;
      const asked = new Date(now.getTime() + action.days * DAY_MS);
      const creditedFrom = (asked < lot.startsAt ? lot.startsAt : asked).toISOString();
      const amount = (lot.amount * BigInt(action.cores) * action.percent) / (BigInt(lot.cores) * 100n);
      return hold(world, history, -amount - action.off, {
        onSuccess: { ...nothing, licenses: [{ key, cores: Math.max(1, present - action.cores) }] },
        coreCredits: [{ lotId: lot.id, cores: action.cores, creditedFrom, amount: amount.toString() }],
      });
    }
    case "settle": {
      const settlement = { failureMessage: null, references: {}, reconciled: false };
      const id = operationIds.at(-1) ?? randomUUID();
      await settleOperation(
        db,
        { token: id },
        { id, reseller_id: history.reseller.id },
        { ...settlement, succeeded: action.succeeded },
        now,
      );
      return;
    }
    case "refund": {
      const refund = { amount: action.amount, reference: null, note: "", actor: "test" };
      const audit = { action: "wallet.refund" as const, data: {}, requestId: "" };
      const operationId = additionIds.at(-1 - action.which) ?? randomUUID();
      await refundOperation(db, { ...refund, operationId, audit }, now);
      return;
    }
    case "adopt":
      await editLicense(`cores = ${action.cores}`);
      return;
    case "extend":
      await editLicense("expires_at = expires_at + interval '30 days'");
      return;
    case "wait":
      world.advance(4 * DAY_MS);
      return;
    case "tamper":
      await db.query(sql(action.text), []);
      return;
    default:
      action satisfies never;
  }
}

/** Violated rules of all licenses' lots. */
export async function listBrokenRules(world: World): Promise<string[]> {
  const { lotDifferences } = await compareWallets(world.db);
  return lotDifferences.map(({ rule }) => rule);
}

/** Plays steps on a new license that has added five cores for 6.00; skips rejected ones. */
export async function playCoreHistory(world: World, steps: readonly CoreStep[]): Promise<void> {
  world.setClock("2027-04-01T00:00:00Z");
  const reseller = await world.reseller({ funds: "1000" });
  const { licenseId, licenseKey } = await reseller.register({ type: "web_server" });
  const history: History = { reseller, licenseId, key: licenseKey, operationIds: [], additionIds: [] };
  for (const action of [...firstSteps, ...steps]) await play(world, history, action).catch(() => {});
}

/** Checks the lots after each of many histories, up to the first violation. */
export async function checkCoreLotHistories(
  world: World,
  options: { readonly seed: number; readonly numRuns: number },
) {
  const property = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
    await playCoreHistory(world, steps);
    return (await listBrokenRules(world)).length === 0;
  });
  return fc.check(property, { ...options, endOnFailure: true });
}
