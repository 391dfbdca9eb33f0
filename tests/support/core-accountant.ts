/**
 * Accounts for a license's cores hour by hour, from contract 3.6 and independently of the implementation: each core's
 * charge is pushed on the stack of each hour, and a removed core pops it.
 */

/** Days of cycles of 1, 3 or 12 months. */
const CYCLE_DAYS = [28, 29, 30, 31, 89, 90, 91, 92, 365, 366];
const HOURS_A_DAY = 24n;
const MS_PER_HOUR = 3_600_000;

/** Every hourly price is a whole number of these parts of a minor unit. */
export const PARTS = CYCLE_DAYS.map(BigInt).reduce(leastCommonMultiple) * HOURS_A_DAY;

interface PaidStretch {
  readonly fromHour: number;
  readonly toHour: number;
  readonly months: number;
}

interface PaidCores {
  cores: number;
  /** Per core and hour. */
  readonly parts: bigint;
}

/** Today's price of a core, in minor units per cycle of that many months. */
export type PriceOfCore = (months: number) => bigint;

export class CoreAccountant {
  cores = 1;
  /** Bounds the rounding error: each charge and each of its stretches is rounded. */
  roundings = 0;
  private readonly stretches: PaidStretch[] = [];
  private readonly piles = new Map<number, PaidCores[]>();

  /** A registration or renewal; returns its cost in parts, without the cycle's own price. */
  extend(from: Date, to: Date, months: number, priceOf: PriceOfCore): bigint {
    const stretch = { fromHour: hourOf(from), toHour: hourOf(to), months };
    this.stretches.push(stretch);
    return this.charge(stretch, stretch.fromHour, this.cores - 1, priceOf);
  }

  /** Returns its cost in parts. */
  add(now: Date, cores: number, priceOf: PriceOfCore): bigint {
    this.cores += cores;
    const ahead = this.stretches.filter(({ toHour }) => toHour > hourOf(now));
    return ahead.reduce((sum, stretch) => sum + this.charge(stretch, hourOf(now), cores, priceOf), 0n);
  }

  /** Returns the parts charged for the removed cores. */
  remove(now: Date, cores: number): bigint {
    this.cores -= cores;
    let sum = 0n;
    for (const [hour, pile] of this.piles) {
      if (hour < hourOf(now)) continue;
      for (let left = cores; left > 0; ) {
        const top = pile.at(-1);
        if (!top) throw new Error("more cores were given up than there were");
        const taken = Math.min(left, top.cores);
        sum += top.parts * BigInt(taken);
        top.cores -= taken;
        left -= taken;
        if (top.cores === 0) pile.pop();
      }
    }
    return sum;
  }

  /** The parts that the hours before `now` have cost: the minimum payment. */
  usedBefore(now: Date): bigint {
    let sum = 0n;
    for (const [hour, pile] of this.piles) {
      if (hour < hourOf(now)) for (const { cores, parts } of pile) sum += parts * BigInt(cores);
    }
    return sum;
  }

  private charge(
    { fromHour, toHour, months }: PaidStretch,
    nowHour: number,
    cores: number,
    priceOf: PriceOfCore,
  ): bigint {
    const parts = (priceOf(months) * PARTS) / BigInt(toHour - fromHour);
    let sum = 0n;
    for (let hour = Math.max(fromHour, nowHour); hour < toHour; hour++) {
      const pile = this.piles.get(hour) ?? [];
      if (cores > 0) pile.push({ cores, parts });
      this.piles.set(hour, pile);
      sum += parts * BigInt(cores);
    }
    this.roundings += 1;
    return sum;
  }
}

function hourOf(date: Date): number {
  const hour = date.getTime() / MS_PER_HOUR;
  if (!Number.isInteger(hour)) throw new Error(`${date.toISOString()} is no whole hour`);
  return hour;
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y > 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}
