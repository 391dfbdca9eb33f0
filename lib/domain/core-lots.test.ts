import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CORE_QUOTE_LIFETIME_MS,
  type CoreChange,
  type CoreLot,
  findAgreedInstant,
  type PaidTerm,
  priceCoreChange,
  quotedInstant,
} from "./core-lots.ts";

const day = (number: number, time = "00:00:00.000") =>
  new Date(Date.UTC(2027, 0, number) + Date.parse(`1970-01-01T${time}Z`));

/** 1 to 31 January, at 10.00 a core. */
const january: PaidTerm = {
  id: 1,
  months: 1,
  startsAt: day(1),
  paidUntil: day(31),
  endsAt: day(31),
  pricePerCore: 1000n,
  lots: [],
};
const february: PaidTerm = { ...january, id: 2, startsAt: day(31), paidUntil: day(59), endsAt: day(59) };
// The test's January has 30 days, and its cycle no more than those.
const cycles = { january: { ...january, months: 0 }, february: { ...february, months: 0 } };

const lot = (part: Partial<CoreLot>): CoreLot => ({
  id: 1,
  operationId: "op",
  startsAt: day(1),
  endsAt: day(31),
  cores: 1,
  liveCores: 1,
  amount: 1000n,
  creditedAmount: 0n,
  ...part,
});
const change = (oldCores: number, newCores: number, terms: readonly PaidTerm[], left = 1_000_000n): CoreChange => ({
  oldCores,
  newCores,
  terms,
  chargesLeft: new Map([["op", left]]),
});

describe("contract 3.6: adding cores", () => {
  test("charges cores × price per core × time left ÷ length of the paid term", () => {
    const priceAt = (at: Date, cores = 4) => priceCoreChange(change(1, cores, [cycles.january]), at).price;
    expect(priceAt(day(16))).toBe(1500n);
    expect(priceAt(day(1))).toBe(3000n);
    expect(priceAt(day(16), 1)).toBe(0n);
  });

  test("charges each term that is renewed ahead at the price of its own cycle, and makes a lot of each", () => {
    const ahead = { ...cycles.february, pricePerCore: 700n };
    expect(priceCoreChange(change(1, 3, [cycles.january, ahead]), day(16))).toEqual({
      price: 2400n,
      lots: [
        { paidTermId: 1, cores: 2, startsAt: day(16), endsAt: day(31), amount: 1000n },
        { paidTermId: 2, cores: 2, startsAt: day(31), endsAt: day(59), amount: 1400n },
      ],
      credits: [],
    });
  });

  test("rounds half up once for the whole change, and the lots add up to the price", () => {
    const odd = (pricePerCore: bigint) => [
      { ...cycles.january, pricePerCore },
      { ...cycles.february, pricePerCore },
    ];
    const priceOf = (terms: readonly PaidTerm[], at: Date) => priceCoreChange(change(1, 2, terms), at);
    expect(priceOf([{ ...cycles.january, pricePerCore: 1n }], day(16)).price).toBe(1n);
    expect(priceOf([{ ...cycles.january, pricePerCore: 1n }], day(16, "00:00:00.001")).price).toBe(0n);
    expect(priceOf(odd(1n), day(21))).toMatchObject({ price: 1n, lots: [{ amount: 0n }, { amount: 1n }] });
    expect(priceOf(odd(7n), day(16))).toMatchObject({ price: 11n, lots: [{ amount: 4n }, { amount: 7n }] });
  });

  test("charges the rest of a shortened term in proportion to its paid length", () => {
    const cut = { ...cycles.january, endsAt: day(21) };
    expect(priceCoreChange(change(1, 2, [cut]), day(16)).price).toBe(167n);
  });

  test("never charges a partial cycle as a whole one", () => {
    const threeDays = { ...january, startsAt: day(1), paidUntil: day(4), endsAt: day(4) };
    expect(priceCoreChange(change(1, 2, [threeDays]), day(1)).price).toBe(97n);
  });
});

describe("contract 3.6: removing cores", () => {
  test("credits the amount that was charged × time left ÷ length of the lot, whatever a core costs today", () => {
    const dearer = { ...cycles.january, pricePerCore: 9_999n, lots: [lot({ cores: 3, liveCores: 3, amount: 900n })] };
    expect(priceCoreChange(change(4, 2, [dearer]), day(16))).toEqual({
      price: -300n,
      lots: [],
      credits: [{ lotId: 1, cores: 2, creditedFrom: day(16), amount: 300n }],
    });
  });

  test("needs no current price", () => {
    const unpriced = { ...cycles.january, pricePerCore: null, lots: [lot({})] };
    expect(priceCoreChange(change(2, 1, [unpriced]), day(16)).price).toBe(-500n);
  });

  test("takes the newest lots first, the removed number of cores from each term", () => {
    const terms = [
      {
        ...cycles.january,
        lots: [lot({ id: 1, cores: 2, liveCores: 2, amount: 2000n }), lot({ id: 3, amount: 300n })],
      },
      {
        ...cycles.february,
        lots: [lot({ id: 2, cores: 3, liveCores: 3, amount: 600n, startsAt: day(31), endsAt: day(59) })],
      },
    ];
    expect(priceCoreChange(change(4, 2, terms), day(1))).toEqual({
      price: -1700n,
      lots: [],
      credits: [
        { lotId: 3, cores: 1, creditedFrom: day(1), amount: 300n },
        { lotId: 2, cores: 2, creditedFrom: day(31), amount: 400n },
        { lotId: 1, cores: 1, creditedFrom: day(1), amount: 1000n },
      ],
    });
  });

  test("rounds down once for the whole change", () => {
    const halves = [
      { ...cycles.january, lots: [lot({ amount: 1n })] },
      {
        ...cycles.february,
        lots: [lot({ id: 2, cores: 2, liveCores: 1, amount: 1n, startsAt: day(31), endsAt: day(59) })],
      },
    ];
    expect(priceCoreChange(change(2, 1, halves), day(16)).price).toBe(-1n);
    expect(priceCoreChange(change(2, 1, halves), day(16, "00:00:00.001")).price).toBe(0n);
  });

  test("credits no more than a lot, or its charge after refunds, has left", () => {
    const removed = (part: Partial<CoreLot>, left?: bigint) =>
      priceCoreChange(change(2, 1, [{ ...cycles.january, lots: [lot(part)] }], left), day(1)).price;
    expect(removed({})).toBe(-1000n);
    expect(removed({ creditedAmount: 900n })).toBe(-100n);
    expect(removed({}, 250n)).toBe(-250n);
    expect(removed({}, 0n)).toBe(0n);
    expect(removed({ operationId: "another" })).toBe(0n);
    expect(removed({ operationId: null, amount: 0n })).toBe(0n);
  });

  test("credits two lots of one charge no more than is left of the charge", () => {
    const terms = [{ ...cycles.january, lots: [lot({ id: 1 }), lot({ id: 2 })] }];
    expect(priceCoreChange(change(3, 1, terms, 1200n), day(1))).toMatchObject({
      price: -1200n,
      credits: [{ amount: 1000n }, { amount: 200n }],
    });
  });

  test("credits nothing for the part of a lot that the license's term no longer reaches", () => {
    const cut = { ...cycles.january, endsAt: day(16), lots: [lot({})] };
    expect(priceCoreChange(change(2, 1, [cut]), day(1)).price).toBe(-500n);
    expect(priceCoreChange(change(2, 1, [cut]), day(17)).credits).toMatchObject([{ cores: 1, amount: 0n }]);
  });
});

describe("a price that was shown", () => {
  const dear = { ...cycles.january, pricePerCore: 10n ** 9n };
  const up = change(1, 32, [dear]);
  const down = change(
    32,
    1,
    [{ ...dear, lots: [lot({ cores: 31, liveCores: 31, amount: 31n * 10n ** 9n })] }],
    10n ** 12n,
  );
  const shownAt = day(16, "10:00:00.000");
  const later = (ms: number) => new Date(shownAt.getTime() + ms);
  const shown = (wanted: CoreChange) => priceCoreChange(wanted, quotedInstant(wanted, shownAt)).price;

  test.each([
    ["an addition", up],
    ["a removal", down],
  ])("of %s is charged to the unit for a minute, at an instant that does not favor the buyer", (_, wanted) => {
    for (const ms of [0, 1, 1_000, 59_999, CORE_QUOTE_LIFETIME_MS]) {
      const instant = findAgreedInstant(wanted, later(ms), shown(wanted));
      expect(instant).toEqual(quotedInstant(wanted, shownAt));
      expect(shown(wanted)).toBeGreaterThanOrEqual(priceCoreChange(wanted, later(ms)).price);
    }
    expect(findAgreedInstant(wanted, later(CORE_QUOTE_LIFETIME_MS + 1), shown(wanted))).toBeNull();
  });

  test("is rejected if no instant of the minute yields it: better for the buyer, or far worse", () => {
    for (const wanted of [up, down]) {
      const exact = priceCoreChange(wanted, shownAt).price;
      for (const agreed of [exact - 1n, exact - 10_000n, exact + 10n ** 7n, 0n]) {
        expect(findAgreedInstant(wanted, shownAt, agreed)).toBeNull();
      }
      expect(findAgreedInstant(wanted, shownAt, exact)).toEqual(shownAt);
    }
  });

  test("is accepted only if it covers at least the current price", () => {
    fc.assert(
      fc.property(fc.nat(120_000), fc.bigInt({ min: -200_000n, max: 200_000n }), fc.boolean(), (ms, by, adds) => {
        const wanted = adds ? up : down;
        const agreed = shown(wanted) + by;
        const instant = findAgreedInstant(wanted, later(ms), agreed);
        if (instant === null) return;
        expect(priceCoreChange(wanted, instant).price).toBe(agreed);
        expect(agreed).toBeGreaterThanOrEqual(priceCoreChange(wanted, later(ms)).price);
      }),
    );
  });
});
