import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bundleRenewalPrice, registrationPrice, renewalPrice } from "./pricing.ts";

const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
const cores = fc.integer({ min: 1, max: 32 });
const unmetered = { pricePerCore: null, cores: null };

describe("registration and renewal", () => {
  test("contract 3.3: registration charges the cycle's price and its setup fee, once", () => {
    expect(registrationPrice({ price: 1250n, setupFee: 500n })).toBe(1750n);
  });

  test("contract 3.4: renewal charges price_per_core for each core beyond the first", () => {
    expect(renewalPrice({ price: 1000n, pricePerCore: 300n, cores: 1 })).toBe(1000n);
    expect(renewalPrice({ price: 1000n, pricePerCore: 300n, cores: 4 })).toBe(1900n);
    expect(renewalPrice({ price: 1000n, ...unmetered })).toBe(1000n);
  });

  test("contract 3.10: a bundle renews at its own price and its members' cores beyond the first", () => {
    const members = [unmetered, { pricePerCore: 300n, cores: 3 }, { pricePerCore: 100n, cores: 1 }];
    expect(bundleRenewalPrice({ price: 5000n, members })).toBe(5600n);
    expect(bundleRenewalPrice({ price: 5000n, members: [] })).toBe(5000n);
  });

  test("contract 3.10: members add the sum of their individual prices", () => {
    const member = fc.record({ pricePerCore: fc.option(amount), cores: fc.option(cores) });
    fc.assert(
      fc.property(amount, fc.array(member), (price, members) => {
        const added = members.map((metering) => renewalPrice({ price: 0n, ...metering }));
        expect(bundleRenewalPrice({ price, members })).toBe(added.reduce((sum, part) => sum + part, price));
      }),
    );
  });
});
