import { getRuntime } from "#lib/runtime.ts";
import { setCycleRetired } from "#lib/services/catalog/set-cycle-retired.ts";
import { startFaultyProxy } from "../support/faulty-proxy.ts";
import { FossBilling } from "../support/fossbilling.ts";
import { balanceOf, licensesOf, settlePending } from "../support/panels.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { type Reseller, setLicense, systemContext } from "../support/world.ts";

const OVERDUE = "UPDATE client_order SET expires_at = datetime('now', '-2 days')";

const pending = (command: string) =>
  `${command} is pending: the provider has not confirmed it yet. It completes automatically.`;

test.beforeEach(async () => {
  const missing = await missingPhp("pdo_sqlite");
  test.skip(missing !== null, String(missing));
});

async function activate(reseller: Reseller, soldId?: number): Promise<FossBilling> {
  const productId = soldId ?? (await reseller.newProduct()).product_id;
  const order = { productId, address: reseller.newAddress() };
  const panel = await FossBilling.install(test.info().outputPath("fossbilling"), reseller, order);
  expect(await panel.run("activateOrder")).toBe("success");
  return panel;
}

async function statusesOf(reseller: Reseller): Promise<readonly string[]> {
  return (await licensesOf(reseller)).map(({ status }) => status);
}

async function moveUnasked(reseller: Reseller, address: string): Promise<void> {
  for (const { id } of await licensesOf(reseller)) await setLicense(Number(id.slice(4)), { movedTo: address });
}

/** The order is paid while its suspension is pending; that is carried out meanwhile. */
async function payWhileSuspending(reseller: Reseller, panel: FossBilling): Promise<void> {
  await moveUnasked(reseller, "192.0.2.20");
  expect(await panel.run("suspendFromOrder")).toBe(pending("suspend"));
  expect(await panel.run("renewOrder")).toBe(pending("suspend"));
  await settlePending(reseller);
  expect(await statusesOf(reseller)).toEqual(["suspended"]);
}

test("an overdue order that is paid while its suspension is pending is active and renewed once", async ({
  reseller,
}) => {
  const panel = await activate(reseller);
  await panel.sql(OVERDUE);
  await payWhileSuspending(reseller, panel);
  await moveUnasked(reseller, reseller.newAddress());
  for (const _ of ["once", "again"]) await panel.cron();
  expect((await panel.order()).status).toBe("active");
  expect(await statusesOf(reseller)).toEqual(["active"]);
  expect(await balanceOf(reseller)).toBe(980);

  // A rejected move does not stop it either.
  expect(await panel.api("Admin", "move", { ip_address: "192.0.2.21" })).toEqual({ failure: pending("move") });
  expect(await panel.run("renewOrder")).toBe(pending("move"));
  await settlePending(reseller);
  for (const _ of ["once", "again"]) await panel.cron();
  expect((await panel.order()).status).toBe("active");
  expect(await balanceOf(reseller)).toBe(970);
});

test("a renewal that is due, and the lifting of its suspension, are repeated until they succeed", async ({
  reseller,
}) => {
  const panel = await activate(reseller);
  await panel.sql(OVERDUE);
  await payWhileSuspending(reseller, panel);
  await moveUnasked(reseller, "192.0.2.60");
  await panel.cron();
  expect((await panel.order()).status).toBe("failed_renew");
  expect(await statusesOf(reseller)).toEqual(["suspended"]);
  await moveUnasked(reseller, reseller.newAddress());
  for (const _ of ["once", "again"]) await panel.cron();
  expect((await panel.order()).status).toBe("active");
  expect(await statusesOf(reseller)).toEqual(["active"]);
  expect(await balanceOf(reseller)).toBe(980);
});

test("a suspension that only an admin can lift is reported once, the paid term renewed, and the order suspended", async ({
  reseller,
}) => {
  const panel = await activate(reseller);
  await panel.sql(OVERDUE);
  await payWhileSuspending(reseller, panel);
  await moveUnasked(reseller, reseller.newAddress());
  const where = { resellerId: reseller.resellerId };
  await getRuntime().db.prisma.license.updateMany({ where, data: { suspendedBy: "admin" } });
  for (const _ of ["once", "again"]) await panel.cron();
  expect(panel.log().split("does not lift the suspension, and this is not tried again: An admin")).toHaveLength(2);
  expect((await panel.order()).status).toBe("suspended");
  expect(await statusesOf(reseller)).toEqual(["suspended"]);
  expect(await balanceOf(reseller)).toBe(980);
});

test("a suspension whose lifting is pending and then rejected is reported once, and the paid term renewed", async ({
  reseller,
}) => {
  const panel = await activate(reseller);
  await panel.sql(OVERDUE);
  await payWhileSuspending(reseller, panel);
  await moveUnasked(reseller, "192.0.2.21");
  await panel.cron();
  await settlePending(reseller);
  await moveUnasked(reseller, reseller.newAddress());
  for (const _ of ["once", "again"]) await panel.cron();
  expect(panel.log().split("does not lift the suspension")).toHaveLength(2);
  expect((await panel.order()).status).toBe("suspended");
  expect(await balanceOf(reseller)).toBe(980);
});

/** The panel after the cron run that finds a suspension settled, whose order was changed by `sql` meanwhile. */
async function changedWhilePending(reseller: Reseller, sql: string) {
  const panel = await activate(reseller);
  await moveUnasked(reseller, "192.0.2.20");
  expect(await panel.run("suspendFromOrder")).toBe(pending("suspend"));
  await settlePending(reseller);
  await panel.sql(sql);
  await panel.cron();
  return panel;
}

for (const [what, sql] of [
  ["was canceled by hand", "UPDATE client_order SET status = 'canceled'"],
  ["is gone", "DELETE FROM client_order"],
] as const)
  test(`cron ends with the pending change of an order that ${what}`, async ({ reseller }) => {
    const panel = await changedWhilePending(reseller, sql);
    const log = panel.log();
    for (const _ of ["once", "again"]) await panel.cron();
    expect(panel.log()).toBe(log);
  });

for (const [what, sql, refusal] of [
  ["status", "UPDATE client_order SET status = 'canceled'", "Only active orders can be suspended"],
  ["product type", "UPDATE client_order SET service_type = 'custom'", "Order not found"],
] as const)
  test(`cron logs why FOSSBilling refuses a pending change once the order has another ${what}`, async ({
    reseller,
  }) => {
    const panel = await changedWhilePending(reseller, sql);
    expect(panel.log().split(`License Desk: suspend of order #5: ${refusal}\n`)).toHaveLength(2);
  });

test("a payment does not lift the pending suspension of an order that was not overdue, and renews once", async ({
  reseller,
}) => {
  const panel = await activate(reseller);
  await payWhileSuspending(reseller, panel);
  await moveUnasked(reseller, reseller.newAddress());
  for (const _ of ["once", "again"]) await panel.cron();
  expect((await panel.order()).status).toBe("suspended");
  expect(await statusesOf(reseller)).toEqual(["suspended"]);
  expect(await balanceOf(reseller)).toBe(980);
});

test("an order that is paid while its unsuspension is pending is active and renewed once", async ({ reseller }) => {
  const panel = await activate(reseller);
  await panel.sql(OVERDUE);
  expect(await panel.run("suspendFromOrder")).toBe("success");
  await moveUnasked(reseller, "192.0.2.20");
  expect(await panel.run("unsuspendFromOrder")).toBe(pending("unsuspend"));
  expect(await panel.run("renewOrder")).toBe(pending("unsuspend"));
  await settlePending(reseller);
  await moveUnasked(reseller, reseller.newAddress());
  for (const _ of ["unsuspended", "renewed", "done"]) await panel.cron();
  expect((await panel.order()).status).toBe("active");
  expect(await statusesOf(reseller)).toEqual(["active"]);
  expect(await balanceOf(reseller)).toBe(980);
});

test("a renewal that meets the limit of requests on a page is made by cron, by a cycle that is retired, once", async ({
  reseller,
}) => {
  const { product_id, cycle_id: cycleId } = await reseller.newProduct();
  const panel = await activate(reseller, product_id);
  await setCycleRetired(systemContext(), { cycleId, retired: true });
  const limited = { status: 429, headers: { "retry-after": "6" } };
  const proxy = await startFaultyProxy(reseller.baseUrl, ["passed on", limited, "passed on", "passed on", limited]);
  panel.configure({ url: proxy.url });
  expect(await panel.runOnPage("renewOrder")).toContain("with status 429");
  expect((await panel.order()).status).toBe("failed_renew");
  for (const _ of ["once", "again"]) await panel.cron();
  await proxy.close();
  expect((await panel.order()).status).toBe("active");
  expect(await balanceOf(reseller)).toBe(980);
  const keys = proxy.requests.map(({ key }) => key).filter((key) => key !== undefined);
  expect(new Set(keys)).toHaveProperty("size", 1);
  expect(keys).toHaveLength(3);
});

for (const [outage, fault] of [
  ["did not answer", "request lost"],
  ["with status 502", { status: 502 }],
] as const)
  test(`cron asks for one order only in an outage (${outage})`, async ({ reseller }) => {
    const panel = await activate(reseller);
    const proxy = await startFaultyProxy(reseller.baseUrl, ["passed on", ...Array(12).fill(fault)]);
    panel.configure({ url: proxy.url });
    expect(await panel.run("renewOrder")).toContain(outage);
    await panel.sql(`INSERT INTO client_order (id, service_id, service_type, status, expires_at, config)
    SELECT 6, 6, service_type, status, expires_at, config FROM client_order`);
    await panel.sql(`INSERT INTO service_licensedesk (id, sequence, ip_changes, due_term)
    SELECT 6, sequence, ip_changes, due_term FROM service_licensedesk`);
    const before = proxy.requests.length;
    await panel.cron();
    expect(proxy.requests.length - before).toBe(4);
    await proxy.close();
  });

test("a renewal that is due is reported when that of another expiry date takes its place", async ({ reseller }) => {
  const panel = await activate(reseller);
  await panel.sql("UPDATE service_licensedesk SET due_term = '2027-01-31 00:00:00'");
  expect(await panel.run("renewOrder")).toBe("success");
  expect(panel.log().split("The renewal paid for 2027-01-31 00:00:00 is no longer repeated")).toHaveLength(2);
  expect(await balanceOf(reseller)).toBe(980);
});

test("with a test key by mistake no live license counts as terminated, and the order stays", async ({ reseller }) => {
  const panel = await activate(reseller);
  panel.configure({ api_key: (await reseller.newKey({ mode: "test" })).apiKey });
  for (const method of ["cancelFromOrder", "deleteFromOrder"]) {
    expect(await panel.run(method)).toContain("The API key cannot see the service's license lic_");
  }
  expect((await panel.order()).status).toBe("active");
  expect(await statusesOf(reseller)).toEqual(["active"]);
  panel.configure({ api_key: reseller.apiKey });
  expect(await panel.run("cancelFromOrder")).toBe("success");
  expect(await statusesOf(reseller)).toEqual(["terminated"]);
});
