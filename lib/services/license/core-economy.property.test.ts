/** Random lives of metered licenses, alone and in bundles, against a model that implements only the contract. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PARTS } from "#tests/support/core-accountant.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import { CYCLES, type LifeStep, playLife } from "#tests/support/metered-life.ts";
import { newWorld, type World } from "#tests/support/world.ts";

interface Life {
  readonly inBundle: boolean;
  readonly months: number;
  readonly steps: readonly LifeStep[];
}

/** Prices per core and cycles. */
interface Market {
  readonly months: readonly number[];
  readonly perCore: fc.Arbitrary<bigint>;
  readonly refunds: boolean;
  readonly numRuns: number;
}

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

function lives({ months, perCore, refunds }: Market): fc.Arbitrary<Life> {
  const cores = fc.integer({ min: 1, max: 32 });
  const cycle = fc.constantFrom(...months);
  const is = <Name extends string>(name: Name) => fc.constant(name);
  const step: fc.Arbitrary<LifeStep> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: is("wait"), hours: fc.integer({ min: 1, max: 900 }) }) },
    { weight: 4, arbitrary: fc.record({ do: is("renew"), months: cycle }) },
    {
      weight: 8,
      arbitrary: fc.record({ do: is("change"), cores, agreed: refunds ? fc.boolean() : fc.constant(false) }),
    },
    { weight: 3, arbitrary: fc.record({ do: is("reprice"), months: cycle, perCore }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: is("change with trouble"),
        cores,
        trouble: fc.constantFrom("losesAnswer" as const, "losesRequest" as const),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom<LifeStep>({ do: "relocate" }, { do: "suspend" }) },
    {
      weight: refunds ? 2 : 0,
      arbitrary: fc.record({ do: is("refund"), which: fc.nat(4), cents: fc.integer({ min: 1, max: 5_000 }) }),
    },
    { weight: refunds ? 1 : 0, arbitrary: fc.constant<LifeStep>({ do: "terminate" }) },
  );
  return fc.record({ inBundle: fc.boolean(), months: cycle, steps: fc.array(step, { minLength: 3, maxLength: 14 }) });
}

describe("contract 3.6: no sequence of changes gains money", () => {
  test("at prices without fractions per hour, cores cost exactly their hours", async () => {
    // A whole number of minor units for each hour of each month.
    const wholeHours = 24n * 4n * 3n * 5n * 7n * 29n * 31n;
    const perCore = fc.bigInt({ min: 0n, max: 3n }).map((times) => times * wholeHours);
    const market = { months: [1], perCore, refunds: false, numRuns: 25 };
    await fc.assert(
      fc.asyncProperty(lives(market), async (life) => {
        const priced: Life = {
          ...life,
          steps: [{ do: "reprice", months: 1, perCore: 2n * wholeHours }, ...life.steps],
        };
        const subject = await playLife(world, priced);
        const { expiresAt, cores } = await subject.license();
        if (expiresAt > world.now() && cores !== 1) await subject.change(1, false);
        expect(subject.paid * PARTS).toBe(subject.accountant.usedBefore(world.now()));
      }),
      { numRuns: market.numRuns },
    );
    await expectBooksToAgree(world.db);
  }, 240_000);

  test("at any prices and cycles, with refunds, used cores are paid for", async () => {
    const market = { months: CYCLES, perCore: fc.bigInt({ min: 0n, max: 20_000n }), refunds: true, numRuns: 40 };
    await fc.assert(
      fc.asyncProperty(lives(market), async (life) => {
        const subject = await playLife(world, life);
        const { expiresAt, terminatedAt, cores } = await subject.license();
        if (terminatedAt === null && expiresAt > world.now() && cores !== 1) await subject.change(1, true);
        const used = subject.accountant.usedBefore(world.now());
        const rounding = BigInt(subject.accountant.roundings) * PARTS;
        // An admin's refunds are the only way below.
        if (!subject.refunded) expect(subject.paid * PARTS >= used - rounding).toBe(true);
        expect(await subject.reseller.difference()).toBeNull();
      }),
      { numRuns: market.numRuns },
    );
    await expectBooksToAgree(world.db);
  }, 240_000);
});
