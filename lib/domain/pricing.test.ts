import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bundleRenewalPrice, coreChangePrice, registrationPrice, renewalPrice } from "./pricing.ts";

const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
const cores = fc.integer({ min: 1, max: 32 });
const unmetered = { pricePerCore: null, cores: null };
const day = (number: number) => new Date(Date.UTC(2027, 0, number));
const cycle = { cycleStartsAt: day(1), expiresAt: day(31) };
const anyMoment = fc.integer({ min: day(1).getTime(), max: day(31).getTime() }).map((ms) => new Date(ms));

describe("registration and renewal", () => {
  test("3.3: registration charges the cycle's price and its setup fee, once", () => {
    expect(registrationPrice({ price: 1250n, setupFee: 500n })).toBe(1750n);
  });

  test("3.4: renewal charges price_per_core for each core beyond the first", () => {
    expect(renewalPrice({ price: 1000n, pricePerCore: 300n, cores: 1 })).toBe(1000n);
    expect(renewalPrice({ price: 1000n, pricePerCore: 300n, cores: 4 })).toBe(1900n);
    expect(renewalPrice({ price: 1000n, ...unmetered })).toBe(1000n);
  });

  test("3.10: a bundle renews at its own price and its members' cores beyond the first", () => {
    const members = [unmetered, { pricePerCore: 300n, cores: 3 }, { pricePerCore: 100n, cores: 1 }];
    expect(bundleRenewalPrice({ price: 5000n, members })).toBe(5600n);
    expect(bundleRenewalPrice({ price: 5000n, members: [] })).toBe(5000n);
  });

  test("3.10: what members add is the sum of what each alone adds", () => {
    const member = fc.record({ pricePerCore: fc.option(amount), cores: fc.option(cores) });
    fc.assert(
      fc.property(amount, fc.array(member), (price, members) => {
        const added = members.map((metering) => renewalPrice({ price: 0n, ...metering }));
        expect(bundleRenewalPrice({ price, members })).toBe(added.reduce((sum, part) => sum + part, price));
      }),
    );
  });
});

describe("core changes", () => {
  test("3.6: cores changed × price_per_core × time left ÷ cycle length", () => {
    const halfWay = { ...cycle, now: day(16), pricePerCore: 1000n };
    expect(coreChangePrice({ ...halfWay, oldCores: 1, newCores: 4 })).toBe(1500n);
    expect(coreChangePrice({ ...halfWay, oldCores: 4, newCores: 1 })).toBe(-1500n);
    expect(coreChangePrice({ ...halfWay, oldCores: 4, newCores: 4 })).toBe(0n);
    expect(coreChangePrice({ ...halfWay, now: day(1), oldCores: 1, newCores: 2 })).toBe(1000n);
  });

  test("3.6: rounded half up to the minor unit", () => {
    const halfWay = { ...cycle, now: day(16), oldCores: 1, newCores: 2 };
    expect(coreChangePrice({ ...halfWay, pricePerCore: 1001n })).toBe(501n);
    expect(coreChangePrice({ ...halfWay, pricePerCore: 1n })).toBe(1n);
    expect(coreChangePrice({ ...halfWay, now: day(21), pricePerCore: 1n })).toBe(0n);
  });

  test("3.6: a change and its way back at the same moment cost nothing together", () => {
    fc.assert(
      fc.property(cores, cores, amount, anyMoment, (oldCores, newCores, pricePerCore, now) => {
        const there = coreChangePrice({ ...cycle, oldCores, newCores, pricePerCore, now });
        const back = coreChangePrice({ ...cycle, oldCores: newCores, newCores: oldCores, pricePerCore, now });
        expect(there + back).toBe(0n);
      }),
    );
  });

  test("3.6: adding cores never costs less than nothing, and never gets dearer as time passes", () => {
    fc.assert(
      fc.property(cores, amount, anyMoment, anyMoment, (added, pricePerCore, one, other) => {
        const [earlier, later] = one < other ? [one, other] : [other, one];
        const priceAt = (now: Date) =>
          coreChangePrice({ ...cycle, oldCores: 1, newCores: 1 + added, pricePerCore, now });
        expect(priceAt(later)).toBeGreaterThanOrEqual(0n);
        expect(priceAt(later)).toBeLessThanOrEqual(priceAt(earlier));
        expect(priceAt(earlier)).toBeLessThanOrEqual(BigInt(added) * pricePerCore);
      }),
    );
  });

  test("3.6: renewed one cycle ahead, the cores cost the cycle ahead too", () => {
    const ahead = { cycleStartsAt: day(31), expiresAt: day(61), now: day(16), pricePerCore: 1000n };
    expect(coreChangePrice({ ...ahead, oldCores: 1, newCores: 2 })).toBe(1500n);
  });

  test("3.6: nothing is left to charge or credit once expired", () => {
    const expired = { ...cycle, now: day(32), pricePerCore: 1000n };
    expect(coreChangePrice({ ...expired, oldCores: 1, newCores: 9 })).toBe(0n);
    expect(coreChangePrice({ ...expired, oldCores: 9, newCores: 1 })).toBe(0n);
  });
});
