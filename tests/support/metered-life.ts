/** One core-metered license, alone or in a bundle, with an accountant that knows only the contract. */
import { expect } from "vitest";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { quoteCoreChange } from "#lib/services/license/quote-core-change.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { refundCharge } from "#lib/services/wallet/refund.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "./actors.ts";
import { CoreAccountant, PARTS } from "./core-accountant.ts";
import { clearRehearsed, codeOf, rehearsed } from "./faults.ts";
import type { ResellerWorld } from "./reseller.ts";
import type { World } from "./world.ts";

export type LifeStep =
  | { readonly do: "wait"; readonly hours: number }
  | { readonly do: "renew"; readonly months: number }
  | { readonly do: "change"; readonly cores: number; readonly agreed: boolean }
  | { readonly do: "change with trouble"; readonly cores: number; readonly trouble: "losesAnswer" | "losesRequest" }
  | { readonly do: "reprice"; readonly months: number; readonly perCore: bigint }
  | { readonly do: "relocate" }
  | { readonly do: "suspend" }
  | { readonly do: "refund"; readonly which: number; readonly cents: number }
  | { readonly do: "terminate" };

const BASE_PRICE = 1_000n;
const FUNDS = "9000000000";
const START = new Date("2027-01-31T05:00:00Z");
const MS_PER_HOUR = 3_600_000;
export const CYCLES = [1, 3, 12] as const;

export class MeteredLife {
  readonly accountant = new CoreAccountant();
  readonly perCore = new Map<number, bigint>(CYCLES.map((months) => [months, 650n * BigInt(months)]));
  /** Total cost of the cores, minus refunds; minor units. */
  paid = 0n;
  refunded = false;
  readonly world: World;
  readonly reseller: ResellerWorld;
  readonly inBundle: boolean;
  licenseId = 0;
  private bundleInstanceId = 0;

  constructor(world: World, reseller: ResellerWorld, inBundle: boolean) {
    this.world = world;
    this.reseller = reseller;
    this.inBundle = inBundle;
  }

  readonly priceOf = (months: number) => this.perCore.get(months) ?? 0n;
  readonly license = () => this.reseller.license(this.licenseId);

  async reprice(months: number, perCore: bigint) {
    this.perCore.set(months, perCore);
    const { cycleId } = await this.world.offer(this.reseller.id, "web_server", months);
    await this.world.db.query(
      sql(`insert into prices (cycle_id, reseller_id, currency, price, price_per_core) values ($1, $2, 'USD', $3, $4)
             on conflict (cycle_id, currency, reseller_id) do update set price_per_core = $4`),
      [cycleId, this.reseller.id, BASE_PRICE, perCore],
    );
  }

  async register(months: number) {
    const ctx = this.reseller.context();
    if (this.inBundle) {
      const { bundleId, cycleId } = await this.world.bundleOffer(this.reseller.id, "Performance Server", months);
      const { instance } = await registerBundle(ctx, { bundleId, cycleId, ipAddress: this.world.freshIp() });
      this.bundleInstanceId = instance.id;
      this.licenseId = instance.members.find(({ coreMetered }) => coreMetered)?.id ?? 0;
    } else {
      this.licenseId = (await this.reseller.register({ type: "web_server", months })).licenseId;
    }
    const { anchoredAt, expiresAt } = await this.license();
    this.accountant.extend(anchoredAt, expiresAt, months, this.priceOf);
  }

  async renew(months: number) {
    const before = await this.license();
    const spendable = await this.reseller.spendable();
    const ctx = this.reseller.context();
    let ownPrice = BASE_PRICE;
    if (this.inBundle) {
      const { cycleId, cycle } = await this.world.bundleOffer(this.reseller.id, "Performance Server", months);
      ownPrice = cycle.price;
      await renewBundle(ctx, { bundleInstanceId: this.bundleInstanceId, cycleId });
    } else {
      const { cycleId } = await this.world.offer(this.reseller.id, "web_server", months);
      await renewLicense(ctx, { licenseId: this.licenseId, cycleId });
    }
    const { expiresAt } = await this.license();
    const from = before.expiresAt > this.world.now() ? before.expiresAt : this.world.now();
    const parts = this.accountant.extend(from, expiresAt, months, this.priceOf);
    const forCores = spendable - (await this.reseller.spendable()) - ownPrice;
    expect(forCores * PARTS).toBe(parts);
    this.paid += forCores;
  }

  async change(cores: number, agreed: boolean) {
    const { price: quoted } = await quoteCoreChange(this.reseller.context(), { licenseId: this.licenseId, cores });
    const agreedPrice = agreed ? quoted : undefined;
    const change = { licenseId: this.licenseId, cores, agreedPrice };
    const { price, oldCores } = await changeLicenseCores(this.reseller.context(), change);
    if (agreed) expect(price).toBe(quoted);
    else expect(price).toBeLessThanOrEqual(quoted);
    this.account(oldCores, cores, price, agreed);
  }

  /** A charge must equal the accountant's price, a credit must not exceed its share. */
  account(oldCores: number, cores: number, price: bigint, agreed: boolean) {
    const { accountant } = this;
    this.paid += price;
    if (cores >= oldCores) {
      const parts = accountant.add(this.world.now(), cores - oldCores, this.priceOf);
      expect(price).toBe((2n * parts + PARTS) / (2n * PARTS));
      return;
    }
    const due = accountant.remove(this.world.now(), oldCores - cores);
    const rounding = BigInt(accountant.roundings) * PARTS;
    expect(-price * PARTS <= due + rounding).toBe(true);
    if (!this.refunded && !agreed) expect(-price * PARTS >= due - rounding).toBe(true);
  }

  async changeWithTrouble(cores: number, trouble: "losesAnswer" | "losesRequest") {
    const address = rehearsed[trouble];
    const place = (to: string) =>
      this.world.db.query(sql("update licenses set ip_address = $2 where id = $1"), [this.licenseId, to]);
    const { cores: oldCores } = await this.license();
    if (oldCores === null || oldCores === cores) return;
    await place(address);
    const change = { licenseId: this.licenseId, cores };
    const { price, providerStatus } = await changeLicenseCores(this.reseller.context(), change);
    expect(providerStatus).toBe("pending");
    if (trouble === "losesAnswer") this.account(oldCores, cores, price, false);
    this.world.advance(MS_PER_HOUR);
    await reconcileOperations(this.world.operator, { early: true });
    await place(this.world.freshIp());
    await clearRehearsed(this.world);
  }

  async relocate() {
    const here = (await this.license()).ipAddress;
    for (const to of [this.world.freshIp(), here as LicenseAddress]) {
      const ctx = this.reseller.context();
      if (this.inBundle) await changeBundleIp(ctx, { bundleInstanceId: this.bundleInstanceId, newIp: to });
      else await changeLicenseIp(ctx, { licenseId: this.licenseId, newIp: to });
    }
  }

  async suspend() {
    await suspendLicense(this.reseller.context(), { licenseId: this.licenseId });
    await unsuspendLicense(this.reseller.context(), { licenseId: this.licenseId });
  }

  async refund(which: number, cents: number) {
    const operation = (await this.reseller.operations()).at(-1 - which);
    if (!operation) return;
    const amount = (cents / 100).toFixed(2);
    const refund = refundCharge(this.world.operator, { operationId: operation.id, amount, reason: "goodwill" });
    const refused = await refund.then(
      () => null,
      (error) => error.code,
    );
    if (refused !== null) return expect(refused).toBe("conflict");
    this.refunded = true;
    this.paid -= BigInt(cents);
  }

  async terminate() {
    const spendable = await this.reseller.spendable();
    const termination = terminateLicense(this.world.context(actors.user(this.reseller.id)), {
      licenseId: this.licenseId,
    });
    if (this.inBundle) expect(await codeOf(termination)).toBe("state_invalid");
    else await termination;
    expect(await this.reseller.spendable()).toBe(spendable);
  }

  async play(step: LifeStep) {
    const { expiresAt, terminatedAt } = await this.license();
    if (step.do === "wait") return this.world.advance(step.hours * MS_PER_HOUR);
    if (step.do === "reprice") return this.reprice(step.months, step.perCore);
    if (step.do === "refund") return this.refund(step.which, step.cents);
    if (terminatedAt !== null) return;
    if (step.do === "renew") return this.renew(step.months);
    if (expiresAt <= this.world.now()) return;
    switch (step.do) {
      case "change":
        return this.change(step.cores, step.agreed);
      case "change with trouble":
        return this.changeWithTrouble(step.cores, step.trouble);
      case "relocate":
        return this.relocate();
      case "suspend":
        return this.suspend();
      case "terminate":
        return this.terminate();
      default:
        step satisfies never;
    }
  }
}

/** Registers a license and plays the possible steps. */
export async function playLife(
  world: World,
  life: { readonly inBundle: boolean; readonly months: number; readonly steps: readonly LifeStep[] },
): Promise<MeteredLife> {
  world.setClock(START);
  const subject = new MeteredLife(world, await world.reseller({ funds: FUNDS }), life.inBundle);
  for (const cycle of CYCLES) await subject.reprice(cycle, subject.priceOf(cycle));
  await subject.register(life.months);
  for (const step of life.steps) await subject.play(step);
  return subject;
}
