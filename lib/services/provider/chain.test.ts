import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import { seedCatalog } from "#lib/seed/catalog.ts";
import { importFromProvider } from "#lib/services/catalog/import-from-provider.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { actOnCase } from "#lib/services/reconciliation/act.ts";
import { detectDrift } from "#lib/services/reconciliation/detect-drift.ts";
import { listCases } from "#lib/services/reconciliation/list-cases.ts";
import { sql } from "#tests/sql.ts";
import { type Account, type Desk, LATER_MS, newDesk } from "#tests/support/desk.ts";
import { always } from "#tests/support/faults.ts";
import { releaseDead } from "#tests/support/process.ts";
import { readProviderBooks } from "./books.ts";
import { createProvider } from "./create.ts";
import { listProviders } from "./list.ts";
import { testProviderConnection } from "./test-connection.ts";

/** The upstream's timeout for its own provider, and ours for the upstream. */
const UPSTREAM_TIMEOUT_MS = 1_500;
const TIMEOUT_MS = 4_000;

let upstream: Desk;
let desk: Desk;
/** Our account at the upstream, and our customer's account with us. */
let ours: Account;
let customer: Account;
let addresses = 0;

const freshIp = () => `198.18.9.${++addresses}`;
const later = { early: true };

beforeAll(async () => {
  [upstream, desk] = await Promise.all([
    newDesk({ timeoutMs: UPSTREAM_TIMEOUT_MS }),
    newDesk({ timeoutMs: TIMEOUT_MS }),
  ]);
  await seedCatalog(upstream.db);
  await Promise.all([upstream.start(), desk.start()]);
  ours = await upstream.account({ signing: "required" });
  customer = await desk.account();
  const { apiKey, signingSecret } = ours;
  await createProvider(desk.operator(), { name: "upstream", baseUrl: upstream.baseUrl, apiKey, signingSecret });
  await importFromProvider(desk.operator(), {
    provider: "upstream",
    percent: "20",
    fixed: "0",
    rounding: "none",
    dryRun: false,
  });
}, 60_000);
afterAll(() => Promise.all([upstream.close(), desk.close()]));

const change = (operation: string, fields: Record<string, string | number>, headers?: Record<string, string>) =>
  desk.call(customer, { target: `?endpoint=${operation}`, fields, ...(headers ? { headers } : {}) });
const info = async (at: Desk, account: Account, id: number) =>
  (await at.call(account, { method: "GET", target: `?endpoint=license.info&license_id=${id}` })).body.data;

async function offer(type: string, months = 1) {
  const { body } = await desk.call(customer, { method: "GET", target: "?endpoint=products" });
  const product = body.data.products.find((product: { type: string }) => product.type === type);
  const cycle = product.cycles.find((cycle: { months: number }) => cycle.months === months);
  return { product_id: product.product_id, cycle_id: cycle.cycle_id, price: cycle.price };
}

async function register(type: string, ip_address = freshIp()) {
  const { price, ...fields } = await offer(type);
  return { price, reply: await change("license.register", { ...fields, ip_address }) };
}

async function upstreamIdOf(licenseId: number): Promise<number> {
  const row = await desk.db.prisma.license.findFirstOrThrow({ where: { id: licenseId } });
  return Number(row.providerReference);
}

async function money(at: Desk, { resellerId }: Account): Promise<[number, number]> {
  const { posted, held } = await getWallet(at.db, resellerId);
  return [Number(posted), Number(held)];
}

/** Our licenses agree with the upstream's books, and the upstream's with its provider's. */
async function expectBooksToAgree(): Promise<void> {
  for (const [at, provider] of [
    [desk, "upstream"],
    [upstream, "sandbox"],
  ] as const) {
    const books = await readProviderBooks(at.operator(), { provider });
    const licenses = await at.db.prisma.license.findMany({ include: { product: true } });
    const stated = books.map(({ reference, facts }) => {
      const { product, address, cores, state } = facts;
      return { reference, product, ipAddress: address, cores, state };
    });
    const expected = licenses.map((license) => ({
      reference: license.key,
      product: license.product.providerSku,
      ipAddress: license.ipAddress,
      cores: license.cores,
      state: license.suspendedAt ? "suspended" : license.provisionedAt ? "active" : "pending",
    }));
    const byReference = (a: { reference: string }, b: { reference: string }) => (a.reference < b.reference ? -1 : 1);
    expect(stated.toSorted(byReference)).toEqual(expected.toSorted(byReference));
    const [summary] = await detectDrift(at.operator(), { provider, complete: true });
    expect(summary).toMatchObject({ outcome: "compared", openCases: {}, unreported: {} });
  }
}

describe("two License Desks in a chain", () => {
  test("the connection works, and its state is reported without credentials", async () => {
    const connection = await testProviderConnection(desk.operator(), { name: "upstream" });
    expect(connection).toMatchObject({ works: true, balance: "1000", currency: "USD" });
    const listed = await listProviders(desk.operator());
    expect(listed.map(({ name, kind, signs, productCount }) => ({ name, kind, signs, productCount }))).toEqual([
      { name: "sandbox", kind: "sandbox", signs: false, productCount: 0 },
      { name: "upstream", kind: "dispatch", signs: true, productCount: 5 },
    ]);
    expect(JSON.stringify(listed)).not.toContain(ours.apiKey);
  });

  test("a license passes through all states in both, and all books agree after every step", async () => {
    const before = { up: await money(upstream, ours), here: await money(desk, customer) };
    const { reply, price } = await register("web_server");
    expect(reply).toMatchObject({ status: 200, body: { data: { price } } });
    const { license_id } = reply.body.data;
    const upstreamId = await upstreamIdOf(license_id);
    await expectBooksToAgree();
    expect(await info(upstream, ours, upstreamId)).toMatchObject({
      notes: `ref:${reply.body.data.license_key}`,
      cores: 1,
    });
    expect(await money(upstream, ours)).toEqual([before.up[0] - 1800, 0]);
    expect(await money(desk, customer)).toEqual([before.here[0] - 2160, 0]);

    const renewed = await change("license.renew", { license_id });
    expect(renewed.status).toBe(200);
    const [here, up] = [await info(desk, customer, license_id), await info(upstream, ours, upstreamId)];
    expect(Math.abs(Date.parse(here.expires_at) - Date.parse(up.expires_at))).toBeLessThan(5_000);

    expect((await change("license.change_ip", { license_id, new_ip: freshIp() })).status).toBe(200);
    await expectBooksToAgree();
    expect((await change("license.change_core", { license_id, cores: 4 })).status).toBe(200);
    await expectBooksToAgree();
    expect((await change("license.suspend", { license_id, reason: "Late" })).body.data.status).toBe("suspended");
    await expectBooksToAgree();
    expect((await info(upstream, ours, upstreamId)).status).toBe("suspended");
    expect((await change("license.unsuspend", { license_id })).body.data.status).toBe("active");
    await expectBooksToAgree();
    expect(await info(upstream, ours, upstreamId)).toMatchObject({ status: "active", cores: 4 });
  });

  test("a renewal, termination or loss in one of them is a case at the other, with its value", async () => {
    const [renewed, grown, forgotten] = await Promise.all([
      register("control_panel"),
      register("web_server"),
      register("control_panel"),
    ]);
    const [first, second, third] = await Promise.all(
      [renewed, grown, forgotten].map(({ reply }) => upstreamIdOf(reply.body.data.license_id)),
    );
    const there = (operation: string, fields: Record<string, string | number>) =>
      upstream.call(ours, { target: `?endpoint=${operation}`, fields });
    expect((await there("license.renew", { license_id: first ?? 0 })).status).toBe(200);
    expect((await there("license.change_core", { license_id: second ?? 0, cores: 3 })).status).toBe(200);
    // As after a failover that lost the license: no name matches.
    await desk.db.query(sql("update licenses set key = 'LIC-gone', provider_reference = null where id = $1"), [
      forgotten.reply.body.data.license_id,
    ]);
    const compare = async () => {
      const [summary] = await detectDrift(desk.operator(1_000), { provider: "upstream" });
      const { rows: cases } = await listCases(desk.operator(), {
        filter: { resolved: false },
        before: null,
        after: null,
        limit: 10,
      });
      return { summary, cases };
    };
    const { summary, cases } = await compare();
    expect(summary).toMatchObject({ openCases: { differs: 2, unknown_at_ours: 1, charged_not_provisioned: 1 } });
    const found = new Map(cases.map((one) => [String(one.licenseId ?? one.reference), one]));
    const key = forgotten.reply.body.data.license_key;
    expect(found.get(String(renewed.reply.body.data.license_id))).toMatchObject({
      facts: { differing: ["term"] },
      value: { what: "unpaid", amount: String(Math.round(renewed.price * 100)) },
    });
    expect(found.get(String(grown.reply.body.data.license_id))).toMatchObject({ facts: { differing: ["cores"] } });
    expect(found.get(key)).toMatchObject({ kind: "unknown_at_ours", facts: { provider: { name: String(third) } } });

    await desk.db.query(sql("update licenses set key = $2, provider_reference = $3 where id = $1"), [
      forgotten.reply.body.data.license_id,
      key,
      String(third),
    ]);
    const act = async (licenseId: number, action: "charge" | "correct") => {
      const caseId = found.get(String(licenseId))?.id ?? 0;
      return actOnCase(desk.operator(2_000), { caseId, action, reason: "test" });
    };
    expect(await act(renewed.reply.body.data.license_id, "charge")).toEqual({ resolution: "adopted" });
    expect(await act(grown.reply.body.data.license_id, "correct")).toEqual({ resolution: "corrected" });
    expect((await compare()).summary).toMatchObject({ openCases: {} });
    await expectBooksToAgree();
  });

  test("the upstream's rejection is ours, and nothing is charged on either side", async () => {
    const before = [await money(upstream, ours), await money(desk, customer)];
    const { reply } = await register("control_panel", "192.0.2.10");
    expect(reply).toMatchObject({ status: 400, body: { code: "REGISTRATION_FAILED" } });
    expect(reply.body.message).toBe("The provider rejected the registration.");
    expect(Object.keys(reply.body.details)).toEqual(["ip_address"]);
    expect([await money(upstream, ours), await money(desk, customer)]).toEqual(before);
    await expectBooksToAgree();
  });

  test("the upstream rejects what it cannot send, and so do we", async () => {
    const { reply } = await register("control_panel", "192.0.2.60");
    expect(reply).toMatchObject({ status: 503, body: { code: "PROVIDER_UNAVAILABLE" } });
    await expectBooksToAgree();
  });

  async function createPair(name: string) {
    const products = [await offer("control_panel"), await offer("web_server")];
    const { currency } = await getWallet(desk.db, customer.resellerId);
    const { id: bundle_id, cycles } = await desk.db.prisma.bundle.create({
      data: {
        name,
        members: { create: products.map(({ product_id }, position) => ({ position, productId: product_id })) },
        cycles: {
          create: { name: "Monthly", months: 1, prices: { create: { currency, price: 2_000n, setupFee: 0n } } },
        },
      },
      include: { cycles: true },
    });
    return { products, fields: { bundle_id, cycle_id: cycles[0]?.id ?? 0 } };
  }

  test("a bundle with a member that the upstream cannot renew is not renewed there in part", async () => {
    const { products, fields: pair } = await createPair("Pair");
    const { prisma } = desk.db;
    const fields = { ...pair, ip_address: freshIp() };
    const { bundle_instance_id } = (await change("bundle.register", fields)).body.data;
    const last = { where: { id: products[1]?.cycle_id ?? 0 } };
    const { providerCycle } = await prisma.billingCycle.findUniqueOrThrow(last);
    await prisma.billingCycle.update({ ...last, data: { providerCycle: null } });
    const before = [await money(upstream, ours), await money(desk, customer)];
    const reply = await change("bundle.renew", { bundle_instance_id });
    expect(reply).toMatchObject({ status: 400, body: { code: "PROVIDER_REJECTED" } });
    expect([await money(upstream, ours), await money(desk, customer)]).toEqual(before);
    await prisma.billingCycle.update({ ...last, data: { providerCycle } });
    expect((await change("bundle.renew", { bundle_instance_id })).status).toBe(200);
    await expectBooksToAgree();
  });

  test("a change that is open at the upstream stays open here (contract 3.11)", async () => {
    const { reply } = await register("hardened_kernel");
    const { license_id } = reply.body.data;
    expect((await change("license.change_ip", { license_id, new_ip: "192.0.2.20" })).status).toBe(202);
    expect((await info(upstream, ours, await upstreamIdOf(license_id))).operation_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await reconcileOperations(desk.operator(LATER_MS), later)).toMatchObject({ asked: 1, stillOpen: 1 });
    expect(await reconcileOperations(upstream.operator(LATER_MS), later)).toMatchObject({ asked: 1, succeeded: 1 });
    expect(await reconcileOperations(desk.operator(2 * LATER_MS), later)).toMatchObject({ asked: 1, succeeded: 1 });
    expect((await info(desk, customer, license_id)).ip_address).toBe("192.0.2.20");
    await expectBooksToAgree();
  });

  test.each([
    ["did it before it died: charged once on each side", "192.0.2.20", "succeeded", 1],
    ["had not done it: charged on neither side", "192.0.2.21", "rejected", 0],
  ] as const)("the upstream is killed during a request; it %s", async (_, address, outcome, charges) => {
    const before = { up: (await money(upstream, ours))[0], here: (await money(desk, customer))[0] };
    const key = { "idempotency-key": `kill-${address}` };
    const { price, ...fields } = await offer("malware_scanner");
    const answer = change("license.register", { ...fields, ip_address: address }, key);
    await sleep(700);
    await upstream.kill();
    const { status, body } = await answer;
    expect([status, body.data.status]).toEqual([202, "pending"]);
    expect((await money(desk, customer))[1]).toBe(Math.round(price * 100));

    expect(await reconcileOperations(desk.operator(LATER_MS), later)).toMatchObject({ asked: 1, stillOpen: 1 });
    await upstream.start();
    await releaseDead(upstream.db);
    expect(await reconcileOperations(desk.operator(2 * LATER_MS), later)).toMatchObject({ asked: 1, stillOpen: 1 });
    expect(await reconcileOperations(upstream.operator(LATER_MS), later)).toMatchObject({ asked: 1, [outcome]: 1 });
    expect(await reconcileOperations(desk.operator(3 * LATER_MS), later)).toMatchObject({ asked: 1, [outcome]: 1 });
    expect(await money(upstream, ours)).toEqual([before.up - charges * 925, 0]);
    expect(await money(desk, customer)).toEqual([before.here - charges * 1110, 0]);
    await expectBooksToAgree();
  });

  async function planPurchase(name: string, ipAddress: string): Promise<ProviderRequest> {
    const product = await desk.db.prisma.product.findFirstOrThrow({
      where: { providerName: "upstream" },
    });
    const cycle = await desk.db.prisma.billingCycle.findFirstOrThrow({ where: { productId: product.id } });
    return {
      idempotencyKey: `${name}:0`,
      action: "provision",
      reference: `LIC-${name}`,
      providerReference: null,
      product: product.providerSku,
      cycle: cycle.providerCycle,
      ipAddress,
      cores: null,
      expiresAt: "2030-01-01T00:00:00Z",
      previousExpiresAt: null,
    };
  }

  test("a request that the upstream has not seen is voided there, and rejected if it still arrives", async () => {
    const provider = await desk.operator().providers.get("upstream");
    const before = await money(upstream, ours);
    const late = await planPurchase("held-up", freshIp());
    expect(await provider?.lookUp(late, { voidIfUnseen: true })).toEqual({ kind: "not_found", isVoid: true });
    expect((await provider?.execute(late, always))?.kind).toBe("rejected");
    expect(await money(upstream, ours)).toEqual(before);
    await expectBooksToAgree();
  });

  test("a rejection whose answer was lost is read again at once, and charges nothing", async () => {
    const provider = await desk.operator().providers.get("upstream");
    const before = await money(upstream, ours);
    const rejected = await planPurchase("lost", "192.0.2.10");
    await provider?.execute(rejected, always);
    const found = await provider?.lookUp(rejected, { voidIfUnseen: true, maySend: always });
    expect(found).toMatchObject({ kind: "rejected", message: "The provider rejected the registration." });
    expect(await money(upstream, ours)).toEqual(before);
    await expectBooksToAgree();
  });

  test("a bundle with a member that the upstream does not sell there buys nothing, and names no license of ours there", async () => {
    const { fields } = await createPair("Taken");
    const ip_address = freshIp();
    const { products } = (await upstream.call(ours, { method: "GET", target: "?endpoint=products" })).body.data;
    const web = products.find(({ type }: { type: string }) => type === "web_server");
    const there = (operation: string, fields: Record<string, string | number>) =>
      upstream.call(ours, { target: `?endpoint=${operation}`, fields });
    const purchase = { product_id: web.product_id, cycle_id: web.cycles[0].cycle_id, ip_address };
    const { license_id } = (await there("license.register", purchase)).body.data;
    expect((await there("license.suspend", { license_id })).status).toBe(200);
    const before = [await money(upstream, ours), await money(desk, customer)];
    const { status, body } = await change("bundle.register", { ...fields, ip_address });
    expect([status, body.code]).toEqual([400, "REGISTRATION_FAILED"]);
    expect(body.message).toBe("The provider does not accept this address for this product.");
    expect(body.details.reason).toBe("address_taken");
    expect([await money(upstream, ours), await money(desk, customer)]).toEqual(before);
    expect((await there("license.terminate", { license_id })).status).toBe(200);
    expect((await change("bundle.register", { ...fields, ip_address })).status).toBe(200);
  });

  test("a terminated license frees its address upstream; without the scope it is suspended there", async () => {
    const { reply } = await register("control_panel");
    const { license_id } = reply.body.data;
    const { ip_address } = await info(desk, customer, license_id);
    const upstreamId = await upstreamIdOf(license_id);
    expect((await change("license.terminate", { license_id })).body.data.provider_status).toBe("updated");
    expect(await info(upstream, ours, upstreamId)).toMatchObject({ status: "terminated" });
    const again = await register("control_panel", ip_address);
    expect(again.reply.status).toBe(200);

    await upstream.kill();
    await upstream.db.query(sql("update api_keys set scopes = array_remove(scopes, 'licenses:terminate')"), []);
    await upstream.start();
    const second = again.reply.body.data.license_id;
    expect((await change("license.terminate", { license_id: second })).status).toBe(200);
    expect(await info(upstream, ours, await upstreamIdOf(second))).toMatchObject({ status: "suspended" });
    const [summary] = await detectDrift(desk.operator(1_000), { provider: "upstream", complete: true });
    expect(summary).toMatchObject({ outcome: "compared", openCases: {} });
  });

  test("credentials are in no log, response or plain column", async () => {
    const rows = await desk.db.query(sql("select p::text, credentials from providers p"), []);
    const audit = await desk.db.query(sql("select a::text from audit_entries a"), []);
    const contents = JSON.stringify([rows, audit]) + desk.output() + upstream.output();
    for (const secret of [ours.apiKey, ours.signingSecret ?? "", customer.apiKey]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(contents).not.toContain(secret);
      expect(contents).not.toContain(Buffer.from(secret).toString("hex"));
    }
    expect(audit.length).toBeGreaterThan(1);
  });
});
