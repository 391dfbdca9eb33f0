import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DomainError, isDomainError, isTransient } from "#lib/domain/errors.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { answerOnce, type KeyedWork } from "#lib/services/idempotency/answer-once.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { createFaultyDatabase, type Fault, type FaultyDatabase, ProcessDied } from "#tests/support/faulty-database.ts";
import { createTestProcess, type TestProcess } from "#tests/support/process.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { isLong } from "./form.ts";

const RUNS = isLong ? 1_500 : 60;
const TIMEOUT_MS = isLong ? 3_600_000 : 300_000;
/** More than a request has, so some faults never occur. */
const MAX_STATEMENTS = 12;
const MAX_SKEW_MS = 3_600_000;
const MAX_TRIES = 20;

let world: World;
beforeAll(async () => {
  world = await newWorld({ poolSize: 24 });
});
afterAll(() => world.close());

const manners = ["answers", "loses_answer", "loses_request", "rejects", "unreachable"] as const;
type Manner = (typeof manners)[number];

/** The provider's behavior for one request. */
function provider(manner: Manner): LicenseProvider {
  const silence = { kind: "unknown", message: "No answer." } as const;
  const execute: LicenseProvider["execute"] = async (request, maySend) => {
    switch (manner) {
      case "answers":
        return world.provider.execute(request, maySend);
      case "loses_answer":
        await world.provider.execute(request, maySend);
        return silence;
      case "loses_request":
        return silence;
      case "rejects":
        return { kind: "rejected", message: "No." };
      case "unreachable":
        return { kind: "not_sent", message: "Away." };
      default:
        return manner satisfies never;
    }
  };
  return { ...world.provider, execute };
}

type Step =
  | {
      readonly kind: "send";
      readonly instance: 0 | 1;
      readonly manner: Manner;
      readonly fault: Fault | null;
      readonly skewMs: number;
    }
  /** An instance is paused until it is declared dead, and finds out later or never. */
  | { readonly kind: "fall_asleep" | "wake_up" | "kill"; readonly instance: 0 | 1 }
  /** All paused requests continue. */
  | { readonly kind: "resume" }
  | { readonly kind: "reconcile" };

const instance = fc.constantFrom(0 as const, 1 as const);
const when = fc.constantFrom("before" as const, "after" as const);
const at = fc.integer({ min: 1, max: MAX_STATEMENTS });
const faultOf = (...names: Fault["kind"][]) => fc.record({ at, when, kind: fc.constantFrom(...names) });
const sendWith = (fault: fc.Arbitrary<Fault | null>) =>
  fc.record({
    kind: fc.constant("send" as const),
    instance,
    manner: fc.constantFrom(...manners),
    fault,
    skewMs: fc.integer({ min: -MAX_SKEW_MS, max: MAX_SKEW_MS }),
  });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: sendWith(fc.option(faultOf("crash", "blip", "pause"))) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("fall_asleep" as const, "wake_up" as const, "kill" as const),
      instance,
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: "resume" } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: "reconcile" } as const) },
);
/** One instance is paused during a request, the other replaces it, and the first one continues. */
const replacement: fc.Arbitrary<Step[]> = fc
  .tuple(sendWith(faultOf("pause")), sendWith(fc.option(faultOf("crash", "blip"))))
  .map(([first, second]) => [
    first,
    { kind: "fall_asleep", instance: first.instance },
    { ...second, instance: first.instance === 0 ? 1 : 0 },
    { kind: "resume" },
  ]);
const stepsOf = fc
  .array(fc.oneof({ weight: 3, arbitrary: anyStep.map((step) => [step]) }, { weight: 1, arbitrary: replacement }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.flat());

interface Instance {
  process: TestProcess;
  databases: FaultyDatabase[];
}

/** The responses of a caller, without transient errors. */
interface CallerResponse {
  readonly status: number;
  readonly body: string;
}

const OPEN = 202;
const refusal = ({ code, message }: DomainError): CallerResponse | null =>
  isTransient(code) || code === "idempotency_key_reused" ? null : { status: 400, body: `${code} ${message}` };

/** A kind of request: its work, and how often that was done. */
interface Kind {
  work(ctx: ServiceContext): Promise<CallerResponse>;
  context(reseller: ResellerWorld): ServiceContext;
  effects(reseller: ResellerWorld): Promise<number>;
}

async function kinds(reseller: ResellerWorld): Promise<Record<"operation" | "write", Kind>> {
  const { licenseId } = await reseller.register();
  const entriesBefore = (await reseller.entries()).length;
  const entries = async () => (await reseller.entries()).length - entriesBefore;
  return {
    operation: {
      context: () => reseller.context(),
      async work(ctx) {
        const { operation, pending, balanceAfter, newExpiry } = await renewLicense(ctx, { licenseId });
        const body = `${operation.id} ${balanceAfter} ${newExpiry.toISOString()}`;
        return { status: pending ? OPEN : 200, body };
      },
      effects: entries,
    },
    write: {
      context: () => reseller.admin(),
      async work(ctx) {
        const { postedAfter } = await topUpWallet(ctx, { resellerId: reseller.id, amount: "10", note: "" });
        // A unique response.
        return { status: 200, body: `${postedAfter} ${randomUUID()}` };
      },
      effects: entries,
    },
  };
}

/** Plays the steps for one key and returns all of its callers' responses. */
async function play(
  kind: Kind,
  reseller: ResellerWorld,
  key: string,
  steps: readonly Step[],
): Promise<CallerResponse[]> {
  const responses: CallerResponse[] = [];
  const running: Promise<void>[] = [];
  const instances: [Instance, Instance] = [newInstance(), newInstance()];
  const paused: FaultyDatabase[] = [];
  /** Operations at the first 202, after which there must not be another. */
  let operationsAtOpen: number | null = null;
  const work: KeyedWork = { answer: (ctx) => kind.work(ctx), refuse: refusal };

  async function send(ctx: ServiceContext): Promise<CallerResponse | null> {
    const answered = await answerOnce(ctx, { key, requestHash: Buffer.alloc(32) }, work).then(
      ({ answer }) => answer,
      (error: unknown) => {
        if (error instanceof ProcessDied) return null;
        if (!isDomainError(error)) throw error;
        return refusal(error);
      },
    );
    if (!answered) return null;
    responses.push(answered);
    if (answered.status === OPEN) operationsAtOpen ??= (await reseller.operations()).length;
    return answered;
  }

  async function take(step: Step): Promise<void> {
    switch (step.kind) {
      case "send": {
        const { process, databases } = instances[step.instance];
        const faulty = createFaultyDatabase(world.db, step.fault);
        databases.push(faulty);
        if (step.fault?.kind === "pause") paused.push(faulty);
        const now = new Date(world.now().getTime() + step.skewMs);
        const request = send({
          ...kind.context(reseller),
          db: faulty.db,
          leases: process.leases,
          now: () => now,
          providers: new Map([[world.provider.name, provider(step.manner)]]),
        });
        running.push(request.then(() => {}));
        await Promise.race([request, faulty.paused]);
        return;
      }
      case "fall_asleep":
        return instances[step.instance].process.fallAsleep();
      case "wake_up":
        return instances[step.instance].process.wakeUp();
      case "kill": {
        const { process, databases } = instances[step.instance];
        for (const database of databases) database.kill();
        instances[step.instance] = newInstance();
        return process.die();
      }
      case "resume":
        for (const database of paused.splice(0)) database.resume();
        return;
      case "reconcile":
        await reconcileOperations(world.operator, { early: true });
        return;
      default:
        step satisfies never;
    }
  }

  for (const step of steps) await take(step);
  for (const which of [0, 1] as const) await take({ kind: "fall_asleep", instance: which });
  await take({ kind: "resume" });
  await Promise.all(running);
  await world.crash();
  for (let tries = 1; ; tries++) {
    const answered = await send({ ...kind.context(reseller), leases: world.process.leases });
    if (answered && answered.status !== OPEN) break;
    expect(tries).toBeLessThan(MAX_TRIES);
    await take({ kind: "reconcile" });
  }
  await send({ ...kind.context(reseller), leases: world.process.leases });
  if (operationsAtOpen !== null) expect(await reseller.operations()).toHaveLength(operationsAtOpen);
  return responses;
}

function newInstance(): Instance {
  return { process: createTestProcess(world.db), databases: [] };
}

test.each(["operation", "write"] as const)(
  "with any faults of two instances, a key (%s) has one outcome and at most one effect (contract 1.11)",
  async (name) => {
    await fc.assert(
      fc.asyncProperty(stepsOf, async (steps) => {
        const reseller = await world.reseller();
        const kind = (await kinds(reseller))[name];
        const responses = await play(kind, reseller, randomUUID(), steps);
        const outcomes = responses.filter(({ status }) => status !== OPEN);
        const [outcome] = outcomes;
        for (const other of outcomes) expect(other).toEqual(outcome);
        expect(await kind.effects(reseller)).toBe(outcome?.status === 200 ? 1 : 0);
        const states = (await reseller.operations()).map(({ state }) => state);
        expect(states.filter((state) => state !== "succeeded" && state !== "rejected")).toEqual([]);
        expect(await reseller.difference()).toBeNull();
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  TIMEOUT_MS,
);
