import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getWallet } from "#lib/db/wallet.ts";
import { importFromProvider } from "#lib/services/catalog/import-from-provider.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { seedCatalog } from "#prisma/seed/catalog.ts";
import { type Account, type Desk, LATER_MS, newDesk } from "#tests/support/desk.ts";
import { readProviderBooks } from "./books.ts";
import { createProvider } from "./create.ts";
import { listProviders } from "./list.ts";
import { testProviderConnection } from "./test-connection.ts";

/** How long the upstream waits for its own provider, and we for the upstream. */
const UPSTREAM_TIMEOUT_MS = 1_500;
const TIMEOUT_MS = 4_000;

let upstream: Desk;
let desk: Desk;
/** Ours at the upstream, and our customer's with us. */
let ours: Account;
let customer: Account;
let addresses = 0;

const freshIp = () => `198.18.9.${++addresses}`;
const later = { unknownNow: true };

beforeAll(async () => {
  [upstream, desk] = await Promise.all([
    newDesk({ timeoutMs: UPSTREAM_TIMEOUT_MS }),
    newDesk({ timeoutMs: TIMEOUT_MS }),
  ]);
  await seedCatalog(upstream.db.prisma);
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
  const row = await desk.db.prisma.license.findUniqueOrThrow({ where: { id: licenseId } });
  return Number(row.providerReference);
}

/** Posted and held, in cents. */
async function money(at: Desk, { resellerId }: Account): Promise<[number, number]> {
  const { posted, held } = await getWallet(at.db, resellerId);
  return [Number(posted), Number(held)];
}

/** Our licenses and the upstream's account of them say the same, and so do those of the upstream and its provider. */
async function expectBooksToAgree(): Promise<void> {
  for (const [at, provider] of [
    [desk, "upstream"],
    [upstream, "sandbox"],
  ] as const) {
    const books = await readProviderBooks(at.operator(), { provider });
    const licenses = await at.db.prisma.license.findMany({ include: { product: true } });
    const stated = books.map(({ reference, product, ipAddress, cores, state }) => ({
      reference,
      product,
      ipAddress,
      cores,
      state,
    }));
    const expected = licenses.map((license) => ({
      reference: license.key,
      product: license.product.providerSku,
      ipAddress: license.ipAddress,
      cores: license.cores,
      state: license.suspendedAt ? "suspended" : license.provisionedAt ? "active" : "pending",
    }));
    const byReference = (a: { reference: string }, b: { reference: string }) => (a.reference < b.reference ? -1 : 1);
    expect(stated.toSorted(byReference)).toEqual(expected.toSorted(byReference));
  }
}

describe("two License Desks in a chain", () => {
  test("the connection works, and its state is told without credentials", async () => {
    const connection = await testProviderConnection(desk.operator(), { name: "upstream" });
    expect(connection).toMatchObject({ works: true, balance: "1000", currency: "USD" });
    const listed = await listProviders(desk.operator());
    expect(listed.map(({ name, kind, signs, productCount }) => ({ name, kind, signs, productCount }))).toEqual([
      { name: "sandbox", kind: "sandbox", signs: false, productCount: 0 },
      { name: "upstream", kind: "dispatch", signs: true, productCount: 5 },
    ]);
    expect(JSON.stringify(listed)).not.toContain(ours.apiKey);
  });

  test("a license lives its life through both, and all books agree after every step", async () => {
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

  test("the upstream's refusal is ours, and nothing is charged on either side", async () => {
    const before = [await money(upstream, ours), await money(desk, customer)];
    const { reply } = await register("control_panel", "192.0.2.10");
    expect(reply).toMatchObject({ status: 400, body: { code: "REGISTRATION_FAILED" } });
    expect([await money(upstream, ours), await money(desk, customer)]).toEqual(before);
    await expectBooksToAgree();
  });

  test("what the upstream cannot send it refuses, and so do we", async () => {
    const { reply } = await register("control_panel", "192.0.2.60");
    expect(reply).toMatchObject({ status: 503, body: { code: "PROVIDER_UNAVAILABLE" } });
    await expectBooksToAgree();
  });

  test("a change that the upstream does not know yet stays open here until it does (decisions 3.11)", async () => {
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
  ] as const)("the upstream is killed in the middle of a request; it %s", async (_, address, outcome, charges) => {
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
    expect(await reconcileOperations(desk.operator(2 * LATER_MS), later)).toMatchObject({ asked: 1, stillOpen: 1 });
    expect(await reconcileOperations(upstream.operator(LATER_MS), later)).toMatchObject({ asked: 1, [outcome]: 1 });
    expect(await reconcileOperations(desk.operator(3 * LATER_MS), later)).toMatchObject({ asked: 1, [outcome]: 1 });
    expect(await money(upstream, ours)).toEqual([before.up - charges * 925, 0]);
    expect(await money(desk, customer)).toEqual([before.here - charges * 1110, 0]);
    await expectBooksToAgree();
  });

  test("credentials are in no log, no answer and no plain column", async () => {
    const rows = await desk.db.query({ text: "select p::text, credentials from providers p", values: [] });
    const audit = await desk.db.query({ text: "select a::text from audit_entries a", values: [] });
    const told = JSON.stringify([rows, audit]) + desk.output() + upstream.output();
    for (const secret of [ours.apiKey, ours.signingSecret ?? "", customer.apiKey]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(told).not.toContain(secret);
      expect(told).not.toContain(Buffer.from(secret).toString("hex"));
    }
    expect(audit.length).toBeGreaterThan(1);
  });
});
