/** Random lives of a metered license against an accountant that keeps every second of every core apart. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CoreLot, type PaidTerm, priceCoreChange } from "./core-lots.ts";

type Step =
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "renew"; readonly seconds: number }
  | { readonly do: "change"; readonly cores: number }
  | { readonly do: "set prices"; readonly perCore: bigint }
  | { readonly do: "refund"; readonly which: number; readonly amount: bigint };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 25 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("renew" as const), seconds: fc.constantFrom(7, 10, 24, 60) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("change" as const), cores: fc.integer({ min: 1, max: 8 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("set prices" as const), perCore: fc.bigInt({ min: 0n, max: 50n }) }),
  },
);
const refund: fc.Arbitrary<Step> = fc.record({
  do: fc.constant("refund" as const),
  which: fc.nat(5),
  amount: fc.bigInt({ min: 0n, max: 100n }),
});

const second = (number: number) => new Date(number * 1000);

interface Charge {
  readonly amount: bigint;
  credited: bigint;
  refunded: bigint;
}

/** A license with its lots, as the books would keep them. `priceOf`: of a core for a term of so many seconds. */
class License {
  now = 0;
  cores = 1;
  readonly charges = new Map<string, Charge>();
  private readonly terms: { startsAt: number; endsAt: number; lots: CoreLot[] }[] = [
    { startsAt: 0, endsAt: 24, lots: [] },
  ];
  private lotCount = 0;
  private readonly priceOf: (seconds: number) => bigint;
  constructor(priceOf: (seconds: number) => bigint) {
    this.priceOf = priceOf;
  }

  get end() {
    return this.terms.at(-1)?.endsAt ?? 0;
  }

  renew(seconds: number): bigint {
    const startsAt = Math.max(this.now, this.end);
    const term = { startsAt, endsAt: startsAt + seconds, lots: [] };
    this.terms.push(term);
    const price = this.priceOf(seconds) * BigInt(this.cores - 1);
    const operationId = this.charge(price);
    if (this.cores > 1) {
      this.addLot(term, operationId, {
        cores: this.cores - 1,
        startsAt: second(startsAt),
        endsAt: second(term.endsAt),
        amount: price,
      });
    }
    return price;
  }

  change(newCores: number): bigint {
    const ahead = this.terms.flatMap((term, id): PaidTerm[] => {
      if (term.endsAt <= this.now) return [];
      const paidUntil = second(term.endsAt);
      const { startsAt, endsAt, lots } = term;
      const pricePerCore = this.priceOf(endsAt - startsAt);
      return [{ id, months: 0, startsAt: second(startsAt), paidUntil, endsAt: paidUntil, pricePerCore, lots }];
    });
    const chargesLeft = new Map(
      [...this.charges].map(([id, { amount, credited, refunded }]) => [id, amount - credited - refunded]),
    );
    const { price, lots, credits } = priceCoreChange(
      { oldCores: this.cores, newCores, terms: ahead, chargesLeft },
      second(this.now),
    );
    this.cores = newCores;
    const operationId = this.charge(price > 0n ? price : 0n);
    for (const { paidTermId, ...lot } of lots) {
      const term = this.terms[paidTermId];
      if (term) this.addLot(term, operationId, lot);
    }
    for (const { lotId, cores, amount } of credits) this.credit(lotId, cores, amount);
    return price;
  }

  private charge(amount: bigint): string {
    const id = `op ${this.charges.size}`;
    this.charges.set(id, { amount, credited: 0n, refunded: 0n });
    return id;
  }

  private addLot(
    term: { lots: CoreLot[] },
    operationId: string,
    part: Pick<CoreLot, "cores" | "startsAt" | "endsAt" | "amount">,
  ) {
    term.lots.push({ ...part, id: ++this.lotCount, operationId, liveCores: part.cores, creditedAmount: 0n });
  }

  private credit(lotId: number, cores: number, amount: bigint) {
    for (const { lots } of this.terms) {
      const at = lots.findIndex(({ id }) => id === lotId);
      const lot = lots[at];
      if (!lot) continue;
      lots[at] = { ...lot, liveCores: lot.liveCores - cores, creditedAmount: lot.creditedAmount + amount };
      const charge = this.charges.get(lot.operationId ?? "");
      if (charge) charge.credited += amount;
    }
  }

  /** What must be so at any moment. */
  check() {
    for (const { amount, credited, refunded } of this.charges.values()) {
      expect(credited + refunded <= amount).toBe(true);
    }
    for (const { endsAt, lots } of this.terms) {
      for (const { amount, creditedAmount, liveCores } of lots) {
        expect(creditedAmount <= amount && creditedAmount >= 0n && liveCores >= 0).toBe(true);
      }
      if (endsAt > this.now) expect(lots.reduce((sum, { liveCores }) => sum + liveCores, 0)).toBe(this.cores - 1);
    }
  }
}

/** Keeps what was paid for each second of each core, and gives back the last that was paid for a second. */
class Accountant {
  private readonly seconds = new Map<number, bigint[]>();
  used = 0n;

  pay(from: number, to: number, cores: number, perSecond: bigint) {
    for (let at = from; at < to; at++) {
      const paid = this.seconds.get(at) ?? [];
      paid.push(...Array.from({ length: cores }, () => perSecond));
      this.seconds.set(at, paid);
    }
  }

  release(from: number, to: number, cores: number): bigint {
    let sum = 0n;
    for (let at = from; at < to; at++) {
      for (let core = 0; core < cores; core++) sum += this.seconds.get(at)?.pop() ?? 0n;
    }
    return sum;
  }

  /** What the seconds before `now` have cost. */
  usedBy(now: number): bigint {
    let sum = 0n;
    for (const [at, paid] of this.seconds) if (at < now) for (const perSecond of paid) sum += perSecond;
    return sum;
  }
}

test("at whole prices, each core costs exactly its seconds of use at its purchase price", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let perSecond = 3n;
      const license = new License((seconds) => perSecond * BigInt(seconds));
      const accountant = new Accountant();
      let paid = 0n;
      for (const action of steps) {
        if (action.do === "wait") license.now += action.seconds;
        if (action.do === "set prices") perSecond = action.perCore;
        if (action.do === "renew") {
          const from = Math.max(license.now, license.end);
          paid += license.renew(action.seconds);
          accountant.pay(from, license.end, license.cores - 1, perSecond);
        }
        if (action.do === "change" && license.now < license.end) {
          const added = action.cores - license.cores;
          const price = license.change(action.cores);
          paid += price;
          if (added >= 0) accountant.pay(license.now, license.end, added, perSecond);
          else expect(price).toBe(-accountant.release(license.now, license.end, -added));
        }
        license.check();
      }
      const { end } = license;
      if (license.now < end && license.cores > 1) paid += license.change(1);
      expect(paid).toBe(accountant.usedBy(Math.min(license.now, end)));
    }),
    { numRuns: 300 },
  );
});

test("at any prices, credits and refunds never exceed a charge or a lot, and no sequence of changes yields a gain", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 6, arbitrary: step }, { weight: 1, arbitrary: refund }), { maxLength: 40 }),
      (steps) => {
        let perCore = 17n;
        const license = new License((seconds) => (perCore * BigInt(seconds)) / 7n + 1n);
        let paid = 0n;
        for (const action of steps) {
          if (action.do === "wait") license.now += action.seconds;
          if (action.do === "set prices") perCore = action.perCore;
          if (action.do === "renew") paid += license.renew(action.seconds);
          if (action.do === "change" && license.now < license.end) paid += license.change(action.cores);
          if (action.do === "refund") {
            const charge = [...license.charges.values()].at(-1 - action.which);
            if (charge && action.amount <= charge.amount - charge.credited - charge.refunded)
              charge.refunded += action.amount;
          }
          license.check();
        }
        expect(paid >= 0n).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

test("contract 3.6: adding and removing at once costs only the rounding, never a negative amount", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 8 }),
      fc.nat(20),
      fc.bigInt({ min: 0n, max: 10_000n }),
      (cores, wait, perCore) => {
        const license = new License(() => perCore);
        license.renew(60);
        license.now = wait;
        const there = license.change(cores);
        const back = license.change(1);
        expect(there + back).toBe(0n);
      },
    ),
  );
});
