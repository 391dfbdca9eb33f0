import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AgreedRenewalPrice,
  assessRenewalPrice,
  findPriceObstacle,
  type PriceRules,
  priceCheckLeadDays,
} from "./renewal-price.ts";

const DAY_MS = 86_400_000;
const now = new Date("2027-03-10T12:00:00Z");
const daysFromNow = (days: number) => new Date(now.getTime() + days * DAY_MS);
const terms = (agreedPrice: bigint | null, announcedPrice: bigint | null = null, daysAgo = 0): AgreedRenewalPrice => ({
  agreedPrice,
  announcedPrice,
  announcedAt: announcedPrice === null ? null : daysFromNow(-daysAgo),
});
const rules = (noticeDays = 7, maxIncreasePercent: number | null = null): PriceRules => ({
  noticeDays,
  maxIncreasePercent,
});
const judge = (price: bigint, known: AgreedRenewalPrice, by = rules()) => assessRenewalPrice(price, known, by, now);

describe("the price of an automatic renewal", () => {
  test.each([
    ["the agreed one", 1800n, terms(1800n)],
    ["a lower one", 1700n, terms(1800n)],
    ["lower than what was announced, and than what was agreed", 1700n, terms(1800n, 9900n, 1)],
  ])("is charged at once: %s", (_, price, known) => {
    expect(judge(price, known)).toEqual({ kind: "chargeable", from: null, announce: false });
    expect(judge(price, known, rules(60, 0))).toEqual({ kind: "chargeable", from: null, announce: false });
  });

  test("that has risen is announced, and charged when the notice is over", () => {
    expect(judge(1801n, terms(1800n))).toEqual({ kind: "chargeable", from: daysFromNow(7), announce: true });
    expect(judge(9900n, terms(1800n, 9900n, 3))).toEqual({ kind: "chargeable", from: daysFromNow(4), announce: false });
    expect(judge(9900n, terms(1800n, 9900n, 7))).toEqual({ kind: "chargeable", from: null, announce: false });
  });

  test("that has risen again is announced again", () => {
    expect(judge(9901n, terms(1800n, 9900n, 30))).toEqual({ kind: "chargeable", from: daysFromNow(7), announce: true });
  });

  test("that has fallen below the announced one is charged after the notice of the higher one", () => {
    expect(judge(5000n, terms(1800n, 9900n, 7))).toEqual({ kind: "chargeable", from: null, announce: false });
  });

  test("that was never agreed to is announced first, and has no limit", () => {
    expect(judge(1800n, terms(null), rules(7, 0))).toEqual({
      kind: "chargeable",
      from: daysFromNow(7),
      announce: true,
    });
  });

  test("without a notice period is announced and charged immediately", () => {
    expect(judge(9900n, terms(1800n), rules(0))).toEqual({ kind: "chargeable", from: null, announce: true });
  });

  test("above the limit is not charged, however long ago it was announced", () => {
    expect(judge(2160n, terms(1800n), rules(0, 20))).toMatchObject({ kind: "chargeable" });
    expect(judge(2161n, terms(1800n), rules(0, 20))).toEqual({ kind: "limited", announce: true });
    expect(judge(2161n, terms(1800n, 2161n, 365), rules(0, 20))).toEqual({ kind: "limited", announce: false });
    expect(judge(1800n, terms(1800n), rules(0, 0))).toMatchObject({ kind: "chargeable" });
    expect(judge(1801n, terms(1800n), rules(0, 0))).toMatchObject({ kind: "limited" });
  });

  test("is never above what was agreed unless it was announced the whole notice period ago and is within the limit", () => {
    const money = fc.bigInt(0n, 1_000_000n);
    const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
    fc.assert(
      fc.property(
        money,
        maybe(money),
        maybe(money),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
        maybe(fc.integer({ min: 0, max: 300 })),
        (price, agreed, announced, daysAgo, noticeDays, percent) => {
          const verdict = judge(price, terms(agreed, announced, daysAgo), rules(noticeDays, percent));
          if (verdict.kind === "limited" || verdict.from !== null || (agreed !== null && price <= agreed)) return;
          const inTime = announced !== null && price <= announced && daysAgo >= noticeDays;
          expect(inTime || noticeDays === 0).toBe(true);
          if (agreed !== null && percent !== null) expect(price * 100n <= agreed * BigInt(100 + percent)).toBe(true);
        },
      ),
    );
  });
});

test("a term is not renewed when the notice ends with it, or after it, or when the limit forbids it", () => {
  const rises = judge(9900n, terms(1800n));
  expect(findPriceObstacle(rises, daysFromNow(7))).toBe("short_notice");
  expect(findPriceObstacle(rises, daysFromNow(8))).toBeNull();
  expect(findPriceObstacle(judge(9900n, terms(1800n), rules(0, 20)), daysFromNow(99))).toBe("above_limit");
  expect(findPriceObstacle(judge(1800n, terms(1800n)), now)).toBeNull();
});

test("prices are checked before the notice would delay the renewal", () => {
  expect(priceCheckLeadDays(rules(7), 3)).toBe(11);
});
