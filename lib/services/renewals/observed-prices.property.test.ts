/** Random lives with auto-renew, against an observer who knows the rules of docs/money.md, the events and the ledger. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import type { RegistrationResult } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { START } from "#tests/support/start.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { announceRisenPrices } from "./announce-prices.ts";
import { runDueRenewals } from "./run-due.ts";
import { setPriceRules } from "./set-price-rules.ts";

const DAY_MS = 86_400_000;
const RENEW_AHEAD_DAYS = 3;

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

type Step =
  | { readonly do: "wait"; readonly days: number; readonly announces: boolean }
  | { readonly do: "reprice"; readonly by: number; readonly perCore: number }
  | { readonly do: "rules"; readonly noticeDays: number; readonly maxIncreasePercent: number | null }
  | { readonly do: "cores"; readonly cores: number }
  | { readonly do: "renew" | "off" | "on" | "agree" };

const is = <Name extends string>(name: Name) => fc.constant(name);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      do: is("wait"),
      days: fc.integer({ min: 1, max: 15 }),
      announces: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: is("reprice"),
      by: fc.constantFrom(-100, 50, 50, 50, 100),
      perCore: fc.nat(4).map((times) => times * 50),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: is("rules"),
      noticeDays: fc.integer({ min: 0, max: 10 }),
      maxIncreasePercent: fc.option(
        fc.integer({ min: 2, max: 6 }).map((times) => times * 5),
        { freq: 2 },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: is("cores"), cores: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ do: "renew" }, { do: "off" }, { do: "agree" }) },
  { weight: 3, arbitrary: fc.constant<Step>({ do: "on" }) },
);

interface Announcement {
  price: number;
  readonly atMs: number;
}

/** What a reseller knows, in minor units. */
class Life {
  private readonly reseller: ResellerWorld;
  private readonly cycleId: number;
  private readonly licenseId: number;
  private expiresMs: number;
  private auto = true;
  private price = 1_000;
  private perCore = 100;
  private cores = 1;
  private noticeDays = 7;
  private maxIncreasePercent: number | null = null;
  private agreed = this.price;
  private announced: Announcement[] = [];
  private seenEvents = 0;
  private seenEntries = 0;

  private constructor(reseller: ResellerWorld, cycleId: number, { licenseId, expiresAt }: RegistrationResult) {
    this.reseller = reseller;
    this.cycleId = cycleId;
    this.licenseId = licenseId;
    this.expiresMs = expiresAt.getTime();
  }

  static async begin(): Promise<Life> {
    world.setClock(START);
    const reseller = await world.reseller({ funds: "20000" });
    const { cycleId } = await world.offer(reseller.id, "web_server");
    await setPrices(reseller, cycleId, 1_000, 100);
    const registered = await reseller.register({ type: "web_server" });
    await setLicenseAutoRenew(reseller.context(), { licenseId: registered.licenseId, on: true });
    const life = new Life(reseller, cycleId, registered);
    await life.readEntries();
    return life;
  }

  private get today(): number {
    return this.price + (this.cores - 1) * this.perCore;
  }

  /** Advances by a second, so that nothing is at the same time as what was before. */
  async play(step: Step): Promise<void> {
    world.advance(1_000);
    const { licenseId, reseller } = this;
    switch (step.do) {
      case "wait":
        for (let day = 0; day < step.days; day++) await this.wait(step.announces);
        return;
      case "reprice":
        this.price = Math.max(0, this.price + step.by);
        this.perCore = step.perCore;
        return setPrices(reseller, this.cycleId, this.price, this.perCore);
      case "rules":
        ({ noticeDays: this.noticeDays, maxIncreasePercent: this.maxIncreasePercent } = step);
        await setPriceRules(world.context(actors.user(reseller.id)), step);
        return;
      case "cores":
        return this.changeCores(step.cores);
      case "renew":
        return this.renew();
      case "off":
      case "on":
        this.auto = step.do === "on";
        await setLicenseAutoRenew(reseller.context(), { licenseId, on: this.auto });
        return;
      default:
        this.auto = true;
        await setLicenseAutoRenew(reseller.context(), { licenseId, on: true, agreedPrice: BigInt(this.today) });
        this.agree(this.today);
    }
  }

  private async renew(): Promise<void> {
    await renewLicense(this.reseller.context(), { licenseId: this.licenseId });
    expect(await this.readEntries()).toEqual([-this.today]);
    await this.renewed();
  }

  private async wait(announces: boolean): Promise<void> {
    world.advance(DAY_MS);
    if (this.expiresMs <= world.now().getTime()) await this.renew();
    const { id: resellerId } = this.reseller;
    if (announces) await announceRisenPrices(world.operator, { resellerId });
    await runDueRenewals(world.operator, { resellerId });
    await this.readEvents();
    expect(await this.readEntries(), `at ${world.now().toISOString()}`).toEqual(this.mayCharge() ? [-this.today] : []);
    if (this.mayCharge()) await this.renewed();
  }

  private mayCharge(): boolean {
    const nowMs = world.now().getTime();
    const isDue = this.expiresMs > nowMs && this.expiresMs <= nowMs + RENEW_AHEAD_DAYS * DAY_MS;
    if (!this.auto || !isDue) return false;
    if (this.today <= this.agreed) return true;
    const { maxIncreasePercent: most } = this;
    if (most !== null && this.today > Math.floor((this.agreed * (100 + most)) / 100)) return false;
    return this.announced.some(({ price, atMs }) => price >= this.today && nowMs >= atMs + this.noticeDays * DAY_MS);
  }

  private async renewed(): Promise<void> {
    this.agree(this.today);
    this.expiresMs = (await this.reseller.license(this.licenseId)).expiresAt.getTime();
  }

  private agree(price: number): void {
    this.agreed = price;
    this.announced = [];
  }

  private async changeCores(cores: number): Promise<void> {
    const added = cores - this.cores;
    if (added === 0 || this.expiresMs <= world.now().getTime()) return;
    await changeLicenseCores(this.reseller.context(), { licenseId: this.licenseId, cores });
    await this.readEntries();
    this.cores = cores;
    const change = (price: number) => (added > 0 ? price + added * this.perCore : Math.min(price, this.today));
    this.agreed = change(this.agreed);
    for (const announcement of this.announced) announcement.price = change(announcement.price);
  }

  /** Prices that were announced since the last reading. */
  private async readEvents(): Promise<void> {
    const rows = await world.db.query(
      sql<{ price: number; at: Date }>(
        `select (data ->> 'price')::float8 as price, occurred_at as at from events
          where reseller_id = $1 and kind = 'license.expiring_soon' and data ? 'charged_from' order by sequence`,
      ),
      [this.reseller.id],
    );
    const fresh = rows.slice(this.seenEvents);
    this.seenEvents = rows.length;
    for (const { price, at } of fresh) this.announced.push({ price: Math.round(price * 100), atMs: at.getTime() });
  }

  /** What was posted since the last reading. */
  private async readEntries(): Promise<number[]> {
    const entries = await this.reseller.entries();
    const fresh = entries.slice(this.seenEntries).map(Number);
    this.seenEntries = entries.length;
    return fresh;
  }
}

async function setPrices({ id }: ResellerWorld, cycleId: number, price: number, perCore: number): Promise<void> {
  await world.db.query(
    sql(`insert into prices (cycle_id, reseller_id, currency, price, setup_fee, price_per_core) values ($1, $2, 'USD', $3, 0, $4)
           on conflict (cycle_id, currency, reseller_id) do update set price = $3, price_per_core = $4`),
    [cycleId, id, price, perCore],
  );
}

test("auto-renew charges exactly what was agreed to, or announced in time and within the limit, and then never fails to", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 50 }), async (steps) => {
      const life = await Life.begin();
      for (const one of steps) await life.play(one);
    }),
    { numRuns: 20, interruptAfterTimeLimit: 120_000 },
  );
  await expectBooksToAgree(world.db);
}, 240_000);
