/** Random lives of a reseller on both interfaces, in both modes, against an accountant who sees only the replies. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { setPrice } from "#lib/services/catalog/set-price.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { refundCharge } from "#lib/services/wallet/refund.ts";
import { streamStatement } from "#lib/services/wallet/statement-csv.ts";
import { sql } from "#tests/sql.ts";
import { type ApiCaller, type ApiWorld, callerWith, newApiWorld } from "#tests/support/api.ts";
import { cents, type Held } from "#tests/support/api-accountant.ts";
import { ApiBuyer, type Step, step } from "#tests/support/api-buyer.ts";
import { clearRehearsed } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";

vi.stubEnv("PROVIDER_TIMEOUT_MS", "15");

const NOTHING = 2_000_000_000;
const FUNDS = "9000";

let world: ApiWorld;
beforeAll(async () => {
  world = await newApiWorld();
});
afterAll(() => world.close());

const operator = () => ({ ...world.operator, now: () => new Date() });

class Life extends ApiBuyer {
  sandbox: ApiCaller | null = null;

  async play(step: Step) {
    await this.act(step);
    for (const repeat of this.later.splice(0)) await repeat();
    const { body } = await this.by.dispatch("balance");
    expect(cents(body.data.balance)).toBe(this.books.available);
    const holding = [...this.books.open.values()].filter(({ price }) => price !== null && price > 0n);
    expect(body.data.pending_transactions).toBe(holding.length);
  }

  async act(step: Step) {
    const license = this.books.pick(step.which, step.do === "cores" && step.agrees);
    switch (step.do) {
      case "register":
        return this.register(step);
      case "bundle":
        return this.registerBundle(step);
      case "reprice":
        return this.reprice(step);
      case "adjust":
        return this.adjust(step);
      case "settle":
        return this.settle();
      case "sandbox":
        return this.playInSandbox(step);
      default:
        return license && this.change(step.do, license, step);
    }
  }

  async change(what: Step["do"], license: Held, step: Step) {
    switch (what) {
      case "renew":
        return this.renew(license, step);
      case "cores":
        return this.changeCores(license, step);
      case "move":
        return this.move(license, step);
      case "refund":
        return this.refund(step);
      case "suspend":
      case "unsuspend":
        return this.suspend(what, license);
      default:
        return this.terminate(license, step);
    }
  }

  async move(license: Held, { address, viaPath }: Step) {
    const new_ip = address ?? world.freshIp();
    const { id, key, bundle } = license;
    const moved = () => {
      for (const member of this.books.members(license)) member.address = new_ip;
    };
    if (bundle !== null) return this.free("bundle.change_ip", { bundle_instance_id: bundle, new_ip }, null, moved);
    const update = ["/license/update", { license_key: key, ip_address: new_ip }] as const;
    return this.free("license.change_ip", { license_id: id, new_ip }, viaPath ? update : null, moved);
  }

  async suspend(what: "suspend" | "unsuspend", license: Held) {
    return this.free(`license.${what}`, { license_id: license.id }, null, () => {
      license.state = what === "suspend" ? "suspended" : "active";
    });
  }

  async terminate(license: Held, { viaPath }: Step) {
    const path = ["/license/terminate", { license_key: license.key }] as const;
    return this.free("license.terminate", { license_id: license.id }, viaPath ? path : null, () => {
      license.state = "terminated";
    });
  }

  /** The reseller's own price of a cycle. */
  async reprice({ which, amount, cores, months }: Pick<Step, "which" | "amount" | "cores" | "months">) {
    const all = [...this.products, ...this.bundles].flatMap(({ cycles }) => cycles);
    const possible = all.filter((one) => one.months === months);
    const cycle = possible[which % possible.length];
    if (!cycle) return;
    await setPrice(operator(), {
      cycleId: cycle.cycle_id,
      currency: "USD",
      resellerId: this.user.id,
      price: (amount / 100).toFixed(2),
      setupFee: (cores / 100).toFixed(2),
      pricePerCore: cycle.price_per_core === null ? "" : ((amount % 1500) / 100).toFixed(2),
      allowBelowCost: true,
    });
    await this.readCatalog();
  }

  async refund({ which, amount }: Step) {
    const operations = await this.user.operations();
    const operation = operations[which % operations.length];
    if (!operation) return;
    const part = (((amount % 500) + 1) / 100).toFixed(2);
    const refund = refundCharge(operator(), { operationId: operation.id, amount: part, reason: "goodwill" });
    const refused = await refund.then(
      () => null,
      ({ code }) => code,
    );
    // A free operation, or more than is left of a charge.
    if (refused !== null) return expect(["conflict", "not_found"]).toContain(refused);
    this.books.refunded = true;
    this.books.post(cents(Number(part)));
  }

  async adjust({ amount, agrees }: Step) {
    const text = `${agrees ? "-" : ""}${((amount + 1) / 100).toFixed(2)}`;
    const adjusting = adjustWallet(operator(), { resellerId: this.user.id, amount: text, reason: "corrected" });
    const refused = await adjusting.then(
      () => null,
      ({ code }) => code,
    );
    if (refused === null) this.books.post(cents(Number(text)));
    else expect(refused).toBe("insufficient_balance");
  }

  async settle() {
    await reconcileOperations(operator(), { early: true });
    for (const operation of [...this.books.open.keys()]) {
      const { data } = (await this.by.dispatch("operation.info", { query: { operation_id: operation } })).body;
      expect(["succeeded", "rejected"]).toContain(data.status);
      this.books.settle(operation, data.status === "succeeded");
    }
  }

  /** Test mode buys on the same addresses, with other money. */
  async playInSandbox({ address, which }: Step) {
    const held = this.books.pick(which);
    const product = this.products[which % this.products.length];
    const cycle = product?.cycles[0];
    if (!product?.product_id || !cycle || !this.sandbox) return;
    const ip_address = address ?? held?.address ?? this.world.freshIp();
    await this.sandbox.dispatch("license.register", {
      form: { product_id: product.product_id, cycle_id: cycle.cycle_id, ip_address },
    });
    for (const name of ["license.renew", "license.suspend", "license.terminate"]) {
      const answer = await this.sandbox.dispatch(name, { form: { license_id: held?.id ?? NOTHING } });
      expect(answer.body.code).toBe("LICENSE_NOT_FOUND");
    }
  }

  /** Everything agrees once nothing is open. */
  async close() {
    await this.settle();
    const { body } = await this.user.dispatch("balance");
    expect([cents(body.data.balance), body.data.pending_transactions]).toEqual([this.books.available, 0]);
    const period = { from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 86_400_000) };
    let text = "";
    for await (const piece of streamStatement({ ...this.user.context(), now: () => new Date() }, period)) text += piece;
    const lines = text.trimEnd().split("\r\n").slice(2, -1);
    const amounts = lines.map((line) => cents(Number(line.split(",")[8])));
    expect(amounts.toSorted(compare)).toEqual(this.books.posted.toSorted(compare));
    expect(cents(Number(text.trimEnd().split(",").at(-3)))).toBe(this.books.available);
    const provider = new Map((await this.world.books()).map((line) => [line.reference, line]));
    for (const { id, key, address, cores, state, expires } of this.books.licenses.values()) {
      const { ipAddress, ...line } = provider.get(key) ?? expect.unreachable(key);
      expect(line).toMatchObject(state === "terminated" ? { state } : { state, cores });
      if (state !== "terminated") expect(ipAddress).toBe(address);
      const { data } = (await this.user.dispatch("license.info", { query: { license_id: id } })).body;
      expect(data).toMatchObject({ license_key: key, ip_address: address, cores, status: state, expires_at: expires });
    }
    const listed = (await this.user.path("/licenses")).body.licenses;
    expect(listed).toHaveLength(this.books.licenses.size);
  }
}

const compare = (a: bigint, b: bigint) => Number(a - b);

async function newLife(): Promise<Life> {
  const user = await world.user({ funds: FUNDS });
  const input = {
    resellerId: user.id,
    name: "second",
    scopes: [
      "licenses:read",
      "licenses:write",
      "licenses:terminate",
      "bundles:write",
      "bundles:read",
      "wallet:read",
      "catalog:read",
    ] as const,
  };
  const second = await createResellerApiKey(world.operator, { ...input, rateLimitPerMinute: 100_000 });
  const test = await createResellerApiKey(world.operator, {
    ...input,
    name: "test",
    mode: "test",
    rateLimitPerMinute: 100_000,
  });
  const life = new Life(world, user, [user, callerWith(second.apiKey)], FUNDS);
  life.sandbox = callerWith(test.apiKey);
  await life.readCatalog();
  // Prices of its own, with setup fees.
  for (const [which, months] of ([1, 3, 12] as const).entries()) {
    await life.reprice({ which, months, amount: 1_250, cores: 7 });
  }
  return life;
}

test("every reply, the balance, the statement and the provider's books agree with the accountant", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 45, size: "max" }), async (steps) => {
      const life = await newLife();
      for (const one of steps) await life.play(one);
      await life.close();
      // Leave the addresses that fail to the next life.
      await clearRehearsed(world);
      await world.db.query(
        sql("update sandbox_provider_licenses set ip_address = '198.19.0.1' where ip_address like '192.0.2.%'"),
        [],
      );
    }),
    { numRuns: 6, endOnFailure: true },
  );
  await expectBooksToAgree(world.db);
}, 600_000);
