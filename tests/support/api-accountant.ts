/**
 * An accountant of one reseller who sees only the API's replies: what each order must cost by the prices on sale, and
 * what must then be left. It shares no arithmetic with the product.
 */
import { expect } from "vitest";
import type { ApiAnswer } from "./api.ts";

export interface Cycle {
  readonly cycle_id: number;
  readonly months: number;
  readonly price: number;
  readonly setup_fee: number;
  readonly price_per_core: number | null;
}
export interface OnSale {
  readonly product_id?: number;
  readonly bundle_id?: number;
  /** Of a bundle, in the order of its members. */
  readonly products?: readonly { readonly product_id: number }[];
  readonly cycles: readonly Cycle[];
}

/** Cores that were charged at once for one paid stretch. */
interface Lot {
  cores: number;
  /** Of each, in cents. */
  readonly each: number;
}
interface Stretch {
  readonly months: number;
  readonly lots: Lot[];
}

export interface Held {
  readonly id: number;
  readonly key: string;
  readonly productId: number;
  readonly bundle: number | null;
  cycleId: number;
  address: string;
  expires: string;
  cores: number | null;
  state: "active" | "suspended" | "terminated";
  /** Charges for its cores less their credits, in cents. */
  forCores: bigint;
  readonly stretches: Stretch[];
}

/** What a reply changes, once it is done. */
export interface Order {
  readonly done: () => void;
  /** Cents; null: the operation has no price. */
  readonly price: bigint | null;
}

const DIGITS = 2;
/** Charges and credits at "once" are some minutes apart, of a month. */
const PASSED = 0.001;

export function cents(major: number): bigint {
  const [whole = "0", part = ""] = Math.abs(major).toFixed(DIGITS).split(".");
  return (major < 0 ? -1n : 1n) * BigInt(whole + part);
}

export class ApiAccountant {
  available = 0n;
  readonly licenses = new Map<number, Held>();
  readonly open = new Map<string, Order>();
  /** Amounts that the statement must have. */
  readonly posted: bigint[] = [];
  /** An admin has given something back. */
  refunded = false;

  constructor(opening: bigint) {
    this.post(opening);
  }

  post(amount: bigint): void {
    this.available += amount;
    this.posted.push(amount);
  }

  pick(which: number, metered = false): Held | undefined {
    const held = [...this.licenses.values()].filter(({ cores }) => !metered || cores !== null);
    return held[which % held.length];
  }

  members(license: Held): Held[] {
    if (license.bundle === null) return [license];
    return [...this.licenses.values()].filter(({ bundle }) => bundle === license.bundle);
  }

  /** Takes a reply into account: done, open or refused. */
  take({ status, body }: ApiAnswer, order: Order): "done" | "open" | "refused" {
    const data = body.data ?? body;
    if (status === 200) {
      order.done();
      if (order.price !== null && order.price !== 0n) this.post(-order.price);
    } else if (status === 202) {
      const operation: string = data.operation_id ?? /operations\/([\w-]+)/.exec(body.message)?.[1] ?? "";
      expect(operation).not.toBe("");
      this.open.set(operation, order);
      if (order.price !== null && order.price > 0n) this.available -= order.price;
    } else {
      expect([400, 403, 404, 409, 503]).toContain(status);
      return "refused";
    }
    if (data.balance_after !== undefined) expect(cents(data.balance_after)).toBe(this.available);
    return status === 200 ? "done" : "open";
  }

  /** The outcome of a 202. */
  settle(operation: string, succeeded: boolean): void {
    const order = this.open.get(operation) ?? expect.unreachable(operation);
    this.open.delete(operation);
    const { price, done } = order;
    if (price !== null && price > 0n) this.available += price;
    if (!succeeded) return;
    done();
    if (price !== null && price !== 0n) this.post(-price);
  }

  /** A stretch by a cycle, with its lot of the cores beyond the first; returns what those cost. */
  extend(license: Held, { months }: Pick<Cycle, "months">, perCore: number): void {
    const extra = (license.cores ?? 1) - 1;
    const each = Number(cents(perCore));
    license.stretches.push({ months, lots: extra > 0 ? [{ cores: extra, each }] : [] });
    license.forCores += BigInt(extra) * BigInt(each);
  }

  /** Whether a price of more cores is that of the time left: all of each stretch, less what has passed. */
  checkAddition(license: Held, added: number, price: bigint, perCore: (months: number) => number): void {
    const full = license.stretches.reduce((sum, { months }) => sum + added * Number(cents(perCore(months))), 0);
    expect(Number(price)).toBeLessThanOrEqual(full + 0.5);
    expect(Number(price)).toBeGreaterThanOrEqual(full * (1 - PASSED) - 0.5);
  }

  add(license: Held, added: number, price: bigint, perCore: (months: number) => number): void {
    for (const { months, lots } of license.stretches) lots.push({ cores: added, each: Number(cents(perCore(months))) });
    license.forCores += price;
    license.cores = (license.cores ?? 1) + added;
  }

  /** Whether a credit is that of the newest lots, and no more than was charged. */
  checkRemoval(license: Held, removed: number, price: bigint): void {
    const { charged, lots } = takeNewest(license, removed, false);
    expect(Number(-price)).toBeLessThanOrEqual(charged + lots * 0.5);
    if (!this.refunded) expect(Number(-price)).toBeGreaterThanOrEqual(charged * (1 - PASSED) - lots);
  }

  remove(license: Held, removed: number, price: bigint): void {
    takeNewest(license, removed, true);
    license.forCores += price;
    license.cores = (license.cores ?? 1) - removed;
    if (!this.refunded) expect(license.forCores >= 0n).toBe(true);
  }
}

function takeNewest({ stretches }: Held, removed: number, forGood: boolean): { charged: number; lots: number } {
  let charged = 0;
  let touched = 0;
  for (const { lots } of stretches) {
    let missing = removed;
    for (const lot of lots.toReversed()) {
      const taken = Math.min(missing, lot.cores);
      if (taken === 0) continue;
      missing -= taken;
      charged += taken * lot.each;
      touched += 1;
      if (forGood) lot.cores -= taken;
    }
    expect(missing === 0).toBe(true);
  }
  return { charged, lots: touched };
}
