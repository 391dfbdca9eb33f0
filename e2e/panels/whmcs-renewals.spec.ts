import { setCycleRetired } from "#lib/services/catalog/set-cycle-retired.ts";
import { setProductRetired } from "#lib/services/catalog/set-product-retired.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { startFaultyProxy } from "../support/faulty-proxy.ts";
import { balanceOf, settlePending } from "../support/panels.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { infoOf, Panel } from "../support/whmcs.ts";
import { newReseller, type Reseller, setLicense, systemContext } from "../support/world.ts";

const rejection = (code: string) => JSON.stringify({ error: true, code, message: `${code}.`, details: {} });
/** For longer than a page waits. */
const LIMITED = { status: 429, headers: { "retry-after": "6" }, body: rejection("RATE_LIMITED") };
const REFUSED = { status: 401, body: rejection("INVALID_API_KEY") };
const OUTAGES = [
  ["no answer", "did not answer", "request lost", 4],
  ["502 of a proxy", "with status 502", { status: 502 }, 4],
  ["INVALID_API_KEY", "INVALID_API_KEY", REFUSED, 1],
] as const;

test.beforeEach(async () => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
});

async function create(reseller: Reseller, productId: number): Promise<Panel> {
  const service = { productId, address: reseller.newAddress() };
  const panel = await Panel.install(test.info().outputPath("whmcs"), reseller, service);
  expect(await panel.run("CreateAccount")).toBe("success");
  return panel;
}

async function createOne(reseller: Reseller): Promise<Panel> {
  return create(reseller, (await reseller.newProduct()).product_id);
}

/** The panel reaches License Desk through a proxy with these faults. */
async function connect(panel: Panel, reseller: Reseller, faults: Parameters<typeof startFaultyProxy>[1]) {
  const proxy = await startFaultyProxy(reseller.baseUrl, faults);
  panel.change("tblservers", { port: new URL(proxy.url).port });
  return proxy;
}

test("a license renews by its own cycle though that or its product is retired, and never by one that is not on sale", async ({
  reseller,
}) => {
  const { product_id, cycle_id: cycleId } = await reseller.newProduct();
  const quarterly = await reseller.newCycle(product_id, { months: 3, price: 2700n });
  const panel = await create(reseller, product_id);
  await setCycleRetired(systemContext(), { cycleId, retired: true });
  expect(await panel.run("Renew")).toBe("success");
  expect(await balanceOf(reseller)).toBe(980);

  panel.change("tblhosting", { nextduedate: "2027-02-28", billingcycle: "Quarterly" });
  expect(await panel.run("Renew")).toBe("success");
  expect(await balanceOf(reseller)).toBe(953);
  panel.change("tblhosting", { nextduedate: "2027-05-31", billingcycle: "Monthly" });
  expect(await panel.run("Renew")).toContain("is not sold for the billing cycle Monthly.");

  await setCycleRetired(systemContext(), { cycleId: quarterly, retired: true });
  await setProductRetired(systemContext(), { productId: product_id, retired: true });
  expect(await panel.run("Renew")).toContain("The product is no longer on sale.");
  panel.change("tblhosting", { billingcycle: "Quarterly" });
  const { product_id: another } = await reseller.newProduct({ months: 3 });
  panel.changeParams({ configoption1: String(another) });
  expect(await panel.run("Renew")).toContain("cannot become one of another product.");
  expect(await balanceOf(reseller)).toBe(953);
  panel.changeParams({ configoption1: String(product_id) });
  expect(await panel.run("Renew")).toBe("success");
  expect(await balanceOf(reseller)).toBe(926);
});

test("cron waits for the end of a limit of requests, and repeats the renewal under its key", async ({ reseller }) => {
  const panel = await createOne(reseller);
  const proxy = await connect(panel, reseller, ["passed on", LIMITED]);
  expect(await panel.run("Renew")).toBe("success");
  await proxy.close();
  const [, limited, repeated] = proxy.requests;
  expect(limited?.key).toMatch(/^panel-/);
  expect(repeated?.key).toBe(limited?.key);
  expect(Number(repeated?.atMs) - Number(limited?.atMs)).toBeGreaterThanOrEqual(5_990);
  expect(await balanceOf(reseller)).toBe(980);
});

for (const [code, fault] of [
  ["RATE_LIMITED", LIMITED],
  ["INVALID_API_KEY", REFUSED],
] as const) {
  test(`a page does not wait for the end of ${code}: cron makes the renewal, once`, async ({ reseller }) => {
    const panel = await createOne(reseller);
    const proxy = await connect(panel, reseller, ["passed on", fault]);
    const startedAt = performance.now();
    expect(await panel.runOnPage("Renew")).toContain(code);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    for (const _ of ["once", "again"]) await panel.cron();
    await proxy.close();
    expect(await balanceOf(reseller)).toBe(980);
    expect(await panel.run("Renew")).toBe("success");
    expect(await balanceOf(reseller)).toBe(980);
  });
}

test("a renewal that the wallet does not cover is made by cron after a top-up, unless the service ended", async ({
  reseller: { baseUrl },
}) => {
  const reseller = await newReseller(baseUrl, { funds: "15" });
  const panel = await createOne(reseller);
  expect(await panel.run("Renew")).toContain("INSUFFICIENT_BALANCE");
  await panel.cron();
  await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "10", note: "" });
  panel.change("tblhosting", { domainstatus: "Terminated" });
  await panel.cron();
  expect(await balanceOf(reseller)).toBe(15);
  panel.change("tblhosting", { domainstatus: "Active" });
  for (const _ of ["once", "again"]) await panel.cron();
  expect(await balanceOf(reseller)).toBe(5);
});

test("a renewal that the wallet did not cover is charged once, even if its first request arrives again later", async ({
  reseller: { baseUrl },
}) => {
  const reseller = await newReseller(baseUrl, { funds: "15" });
  const panel = await createOne(reseller);
  const proxy = await connect(panel, reseller, []);
  expect(await panel.run("Renew")).toContain("INSUFFICIENT_BALANCE");
  const rejected = proxy.requests.find(({ key }) => key !== undefined);
  await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "20", note: "" });
  await panel.cron();
  expect(await rejected?.resend()).toBe(200);
  await proxy.close();
  expect(await balanceOf(reseller)).toBe(15);
});

test("a renewal that is due is reported once when that of another due date takes its place", async ({
  reseller: { baseUrl },
}) => {
  const reseller = await newReseller(baseUrl, { funds: "15" });
  const panel = await createOne(reseller);
  for (const _ of ["due", "repeated"]) expect(await panel.run("Renew")).toContain("INSUFFICIENT_BALANCE");
  panel.change("tblhosting", { nextduedate: "2027-02-28" });
  expect(await panel.run("Renew")).toContain("INSUFFICIENT_BALANCE");
  await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "10", note: "" });
  await panel.cron();
  expect(await balanceOf(reseller)).toBe(5);
  const reports = panel
    .read()
    .log.filter((entry) => entry.includes("The renewal paid for 2027-01-31 is no longer repeated"));
  expect(reports).toHaveLength(1);
});

test("a renewal that was pending when the next term was paid is reported once the provider rejects it", async ({
  reseller,
}) => {
  const panel = await createOne(reseller);
  const { license_id } = await infoOf(reseller, panel);
  await setLicense(license_id, { movedTo: "192.0.2.21" });
  for (const term of ["2027-01-31", "2027-02-28"]) {
    panel.change("tblhosting", { nextduedate: term });
    expect(await panel.run("Renew")).toContain("Renew is pending");
  }
  await settlePending(reseller);
  await setLicense(license_id, { movedTo: reseller.newAddress() });
  for (const _ of ["once", "again"]) await panel.cron();
  expect(await balanceOf(reseller)).toBe(980);
  const rejected = "The provider rejected the renewal paid for 2027-01-31";
  expect(panel.read().log.filter((entry) => entry.includes(rejected))).toHaveLength(1);
});

for (const [address, outcome] of [
  ["192.0.2.10", "PROVIDER_REJECTED"],
  ["192.0.2.21", "Renew is pending"],
] as const) {
  test(`cron does not repeat a renewal that the provider rejects (${outcome})`, async ({ reseller }) => {
    const panel = await createOne(reseller);
    const { license_id, expires_at } = await infoOf(reseller, panel);
    await setLicense(license_id, { movedTo: address });
    expect(await panel.run("Renew")).toContain(outcome);
    await settlePending(reseller);
    await setLicense(license_id, { movedTo: reseller.newAddress() });
    for (const _ of ["once", "again"]) await panel.cron();
    expect((await infoOf(reseller, panel)).expires_at).toBe(expires_at);
    expect(await balanceOf(reseller)).toBe(990);
    expect(await panel.run("Renew")).toBe("success");
    expect(await balanceOf(reseller)).toBe(980);
  });
}

for (const [address, outcome] of [
  ["192.0.2.10", "PROVIDER_REJECTED"],
  ["192.0.2.21", "completePending is pending"],
] as const) {
  test(`cron repeats a renewal after a limit of requests, but not once the provider rejects it (${outcome})`, async ({
    reseller,
  }) => {
    const panel = await createOne(reseller);
    const { license_id } = await infoOf(reseller, panel);
    await setLicense(license_id, { movedTo: address });
    const proxy = await connect(panel, reseller, ["passed on", LIMITED]);
    expect(await panel.runOnPage("Renew")).toContain("RATE_LIMITED");
    await panel.cron();
    expect(panel.read().log.join()).toContain(outcome);
    await settlePending(reseller);
    for (const _ of ["settled", "once", "again"]) await panel.cron();
    await proxy.close();
    expect(proxy.requests.filter(({ key }) => key !== undefined)).toHaveLength(2);
    expect(await balanceOf(reseller)).toBe(990);
    expect(panel.read().mod_licensedesk.rows[0]?.due_term).toBeNull();
  });
}

for (const [outage, outcome, fault, requests] of OUTAGES) {
  test(`cron asks a server once in an outage (${outage}), and completes the services of another server`, async ({
    reseller,
  }) => {
    const panel = await createOne(reseller);
    const proxy = await connect(panel, reseller, ["passed on", ...Array(12).fill(fault)]);
    expect(await panel.run("Renew")).toContain(outcome);
    const { tblhosting, tblservers, mod_licensedesk } = panel.read();
    panel.addRow("tblservers", { ...tblservers.rows[0], id: 2, port: new URL(reseller.baseUrl).port });
    for (const [id, server] of [
      [43, 1],
      [44, 2],
    ]) {
      panel.addRow("tblhosting", { ...tblhosting.rows[0], id, server });
      panel.addRow("mod_licensedesk", { ...mod_licensedesk.rows[0], service_id: id });
    }
    const before = proxy.requests.length;
    await panel.cron();
    expect(proxy.requests.length - before).toBe(requests);
    await proxy.close();
    const due = panel.read().mod_licensedesk.rows.filter(({ due_term }) => due_term !== null);
    expect(due.map(({ service_id }) => service_id)).toEqual([42, 43]);
    expect(await balanceOf(reseller)).toBe(980);
  });
}
