/** Orders of a reseller on the dispatch interface, each checked by its accountant. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import type { ApiAnswer, ApiCaller, ApiUser, ApiWorld } from "./api.ts";
import { ApiAccountant, cents, type Held, type OnSale } from "./api-accountant.ts";
import { rehearsed } from "./faults.ts";

/** Null: one at which everything succeeds. */
const addresses = [...Array.from({ length: 14 }, () => null), ...Object.values(rehearsed)];

export const step = fc.record({
  do: fc.constantFrom(
    "register",
    "register",
    "bundle",
    "renew",
    "renew",
    "cores",
    "cores",
    "cores",
    "move",
    "suspend",
    "unsuspend",
    "terminate",
    "reprice",
    "refund",
    "adjust",
    "settle",
    "settle",
    "settle",
    "sandbox",
  ),
  which: fc.nat(1000),
  address: fc.constantFrom(...addresses),
  months: fc.constantFrom(1, 3, 12),
  cores: fc.integer({ min: 1, max: 32 }),
  amount: fc.integer({ min: 0, max: 9_000 }),
  viaPath: fc.boolean(),
  agrees: fc.boolean(),
  previews: fc.boolean(),
});
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type Form = Readonly<Record<string, string | number>>;

export class ApiBuyer {
  readonly books: ApiAccountant;
  readonly world: ApiWorld;
  products: readonly OnSale[] = [];
  bundles: readonly OnSale[] = [];
  readonly user: ApiUser;
  readonly callers: readonly ApiCaller[];
  protected later: (() => Promise<void>)[] = [];
  private asked = 0;

  constructor(world: ApiWorld, user: ApiUser, callers: readonly ApiCaller[], funds: string) {
    this.world = world;
    this.books = new ApiAccountant(cents(Number(funds)));
    this.user = user;
    this.callers = callers;
  }

  /** Either key of the reseller. */
  get by(): ApiCaller {
    return this.callers[this.asked++ % this.callers.length] ?? this.user;
  }

  async readCatalog() {
    this.products = (await this.by.dispatch("products")).body.data.products;
    this.bundles = (await this.by.dispatch("bundles")).body.data.bundles;
  }

  perCoreOf(license: Held) {
    const cycles = this.products.find(({ product_id }) => product_id === license.productId)?.cycles ?? [];
    return (months: number) => cycles.find((cycle) => cycle.months === months)?.price_per_core ?? 0;
  }

  /** Sends an order, and repeats it: with its key and itself, and with its key and another request. */
  async order(name: string, form: Form, call?: (headers: Record<string, string>) => Promise<ApiAnswer>) {
    const headers = { "idempotency-key": randomUUID() };
    const send = call ?? ((headers) => this.by.dispatch(name, { form, headers }));
    const answer = await send(headers);
    this.later.push(async () => {
      const again = await send(headers);
      expect([again.status, again.text]).toEqual([answer.status, answer.text]);
      if (answer.headers.get("retry-after") !== null || answer.body.code === "INSUFFICIENT_BALANCE") return;
      if (answer.body.code === "PRICE_CHANGED") return;
      const other = await this.by.dispatch("license.register", {
        form: { product_id: 1, cycle_id: 1, ip_address: "10.9.9.9" },
        headers,
      });
      expect(other.body.code).toBe("IDEMPOTENCY_KEY_REUSED");
    });
    return answer;
  }

  /** An order with a price, which a dry run may say before. */
  async charge(name: string, form: Form, { previews, agrees }: Step) {
    const preview = previews ? await this.by.dispatch(name, { form: { ...form, dry_run: "true" } }) : null;
    const agreed: Form = agrees && preview?.status === 200 ? { expected_price: preview.body.data.price } : {};
    const answer = await this.order(name, { ...form, ...agreed });
    const { status, body } = answer;
    if (preview && status === 200) {
      const [shown, charged] = [cents(preview.body.data.price), cents(body.data.price)];
      // A credit is that of the end of the minute.
      if (shown >= 0n || agrees) expect(charged).toBe(shown);
      else expect(charged <= shown).toBe(true);
    }
    return answer;
  }

  hold(license: Omit<Held, "forCores" | "stretches" | "state">, months: number) {
    const held: Held = { ...license, forCores: 0n, stretches: [{ months, lots: [] }], state: "active" };
    this.books.licenses.set(held.id, held);
    return held;
  }

  async register(step: Step) {
    const sold = this.products.filter(({ cycles }) => step.previews || (cycles[0]?.price_per_core ?? null) !== null);
    const product = sold[step.which % sold.length];
    const cycle = product?.cycles.find(({ months }) => months === step.months);
    if (!product?.product_id || !cycle) return;
    const { product_id } = product;
    const address = step.address ?? this.world.freshIp();
    const answer = await this.charge(
      "license.register",
      { product_id, cycle_id: cycle.cycle_id, ip_address: address },
      step,
    );
    const { data } = answer.body;
    const price = cents(cycle.price) + cents(cycle.setup_fee);
    if (answer.status < 300) expect(cents(data.price)).toBe(price);
    const done = () =>
      this.hold(
        {
          id: data.license_id,
          key: data.license_key,
          productId: product_id,
          bundle: null,
          cycleId: cycle.cycle_id,
          address,
          expires: data.expires_at,
          cores: cycle.price_per_core === null ? null : 1,
        },
        cycle.months,
      );
    this.books.take(answer, { price, done });
  }

  async registerBundle(step: Step) {
    const bundle = this.bundles[step.which % this.bundles.length];
    const cycle = bundle?.cycles.find(({ months }) => months === step.months);
    if (!bundle?.bundle_id || !cycle) return;
    const address = step.address ?? this.world.freshIp();
    const form = { bundle_id: bundle.bundle_id, cycle_id: cycle.cycle_id, ip_address: address };
    const answer = await this.charge("bundle.register", form, step);
    const { data } = answer.body;
    const price = cents(cycle.price) + cents(cycle.setup_fee);
    if (answer.status < 300) expect(cents(data.price)).toBe(price);
    const done = () => {
      for (const [index, member] of data.licenses.entries()) {
        const productId = bundle.products?.[index]?.product_id ?? 0;
        const metered = this.products.find(({ product_id }) => product_id === productId)?.cycles[0]?.price_per_core;
        this.hold(
          {
            id: member.license_id,
            key: member.license_key,
            productId,
            bundle: data.bundle_instance_id,
            cycleId: cycle.cycle_id,
            address,
            expires: member.expires_at,
            cores: metered === null || metered === undefined ? null : 1,
          },
          cycle.months,
        );
      }
    };
    this.books.take(answer, { price, done });
  }

  async renew(license: Held, step: Step) {
    const inBundle = license.bundle !== null;
    const offers = inBundle ? this.bundles : this.products;
    const offer = offers.find(({ cycles }) => cycles.some(({ cycle_id }) => cycle_id === license.cycleId));
    const cycle = offer?.cycles.find(({ months }) => months === step.months);
    if (!cycle) return;
    const members = this.books.members(license);
    const subject: Form = inBundle ? { bundle_instance_id: license.bundle ?? 0 } : { license_id: license.id };
    const answer = await this.charge(
      inBundle ? "bundle.renew" : "license.renew",
      { ...subject, cycle_id: cycle.cycle_id },
      step,
    );
    const { data } = answer.body;
    const perCores = members.map((member) => this.perCoreOf(member)(cycle.months));
    const price = members.reduce(
      (sum, { cores }, at) => sum + BigInt((cores ?? 1) - 1) * cents(perCores[at] ?? 0),
      cents(cycle.price),
    );
    if (answer.status < 300) expect(cents(data.price)).toBe(price);
    this.books.take(answer, {
      price,
      done: () => {
        for (const [at, member] of members.entries()) {
          this.books.extend(member, cycle, perCores[at] ?? 0);
          member.expires = data.new_expiry;
          member.cycleId = cycle.cycle_id;
        }
      },
    });
  }

  async changeCores(license: Held, step: Step) {
    const answer = await this.charge("license.change_core", { license_id: license.id, cores: step.cores }, step);
    if (answer.status >= 300) return this.books.take(answer, { price: 0n, done: () => {} });
    const price = cents(answer.body.data.price);
    const difference = step.cores - (license.cores ?? 1);
    expect(answer.body.data).toMatchObject({ old_cores: license.cores, new_cores: step.cores });
    const perCore = this.perCoreOf(license);
    if (difference > 0) this.books.checkAddition(license, difference, price, perCore);
    else this.books.checkRemoval(license, -difference, price);
    return this.books.take(answer, {
      price,
      done: () => {
        if (difference > 0) this.books.add(license, difference, price, perCore);
        else this.books.remove(license, -difference, price);
      },
    });
  }

  /** An order without a price, by the path interface if it has a body for that. */
  async free(name: string, form: Form, path: readonly [string, object] | null, done: () => void) {
    const send =
      path && ((headers: Record<string, string>) => this.by.path(path[0], { json: JSON.stringify(path[1]), headers }));
    this.books.take(await this.order(name, form, send ?? undefined), { price: null, done });
  }
}
