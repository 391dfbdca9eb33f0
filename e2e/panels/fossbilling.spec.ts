import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { verifyWallets } from "#lib/services/wallet/verify.ts";
import { FossBilling, type OrderFields } from "../support/fossbilling.ts";
import { balanceOf, connectWebhook, licensesOf, sendForgedEvent, servePhp, settlePending } from "../support/panels.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { newReseller, type Reseller, setLicense, systemContext } from "../support/world.ts";

const pending = (command: string) =>
  `${command} is pending: the provider has not confirmed it yet. It completes automatically.`;

let web: ChildProcess | null = null;
test.afterEach(() => void web?.kill());
test.beforeEach(async () => {
  const missing = await missingPhp("pdo_sqlite");
  test.skip(missing !== null, String(missing));
});

const install = (reseller: Reseller, order: OrderFields) =>
  FossBilling.install(test.info().outputPath("fossbilling"), reseller, order);

async function statusesOf(reseller: Reseller): Promise<readonly string[]> {
  return (await licensesOf(reseller)).map(({ status }) => status);
}

test("an order's whole life: pending, completed by cron, suspended, renewed, canceled, uncanceled, deleted; each charged once", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct();
  await reseller.newCycle(product_id, { months: 12, price: 9000n });
  const panel = await install(reseller, { productId: product_id, address: "192.0.2.20" });

  expect(await panel.run("activateOrder")).toBe(pending("activate"));
  expect(await panel.run("activateOrder")).toBe(pending("activate"));
  await panel.cron();
  expect(await panel.order()).toMatchObject({ status: "failed_setup", expires_at: null });
  await settlePending(reseller);
  await panel.cron();
  const { status, expires_at: firstEnd } = await panel.order();
  expect(status).toBe("active");
  expect(await statusesOf(reseller)).toEqual(["active"]);
  expect(await balanceOf(reseller)).toBe(990);
  const { license } = await panel.service();
  expect(license).toMatchObject({ Status: "Active", "IP Address": "192.0.2.20" });
  expect(await panel.run("activateOrder")).toBe("success");

  const address = reseller.newAddress();
  expect(await panel.api("Admin", "move", { ip_address: address })).toEqual({ value: true });
  expect((await panel.service()).license["IP Address"]).toBe(address);

  expect(await panel.run("suspendFromOrder")).toBe("success");
  expect(await panel.run("suspendFromOrder")).toBe("Only active orders can be suspended");
  expect(await statusesOf(reseller)).toEqual(["suspended"]);
  for (const _ of ["once", "again"]) expect(await panel.run("unsuspendFromOrder")).toBe("success");
  expect(await statusesOf(reseller)).toEqual(["active"]);

  expect(await panel.run("renewOrder")).toBe("success");
  expect(await balanceOf(reseller)).toBe(980);
  // As if the panel had not recorded the renewal, and the idempotency key were forgotten.
  await panel.sql(`UPDATE client_order SET expires_at = '${firstEnd}'`);
  await panel.sql("UPDATE service_licensedesk SET sequence = sequence + 1");
  expect(await panel.run("renewOrder")).toBe("success");
  expect(await balanceOf(reseller)).toBe(980);
  await panel.sql("UPDATE client_order SET period = '1Y'");
  expect(await panel.run("renewOrder")).toBe("success");
  expect(await balanceOf(reseller)).toBe(890);

  expect(await panel.run("cancelFromOrder")).toBe("success");
  expect(await panel.run("cancelFromOrder")).toBe("Cannot cancel canceled order");
  expect(await statusesOf(reseller)).toEqual(["terminated"]);
  await panel.sql("UPDATE client_order SET period = '1M'");
  for (const _ of ["once", "again"]) expect(await panel.run("uncancelFromOrder")).toBe("success");
  expect(await balanceOf(reseller)).toBe(880);
  expect((await panel.service()).license["IP Address"]).toBe(address);
  expect(await panel.run("deleteFromOrder")).toBe("success");
  expect(await statusesOf(reseller)).toEqual(["terminated", "terminated"]);
  const { differences } = await verifyWallets(systemContext());
  expect(differences.filter(({ resellerId }) => resellerId === reseller.resellerId)).toEqual([]);
  expect(panel.log()).toContain("License Desk: renew of order #5: success");
  for (const secret of [reseller.apiKey, license["License Key"]]) expect(panel.log()).not.toContain(secret);
});

test("an activation whose answer was lost moves the license to the corrected address, and refuses another period", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct();
  await reseller.newCycle(product_id, { months: 12, price: 9000n });
  const first = reseller.newAddress();
  const panel = await install(reseller, { productId: product_id, address: first });
  await panel.run("activateOrder");
  await panel.sql(`UPDATE service_licensedesk SET license_id = NULL, registered_address = '${first}'`);
  const address = reseller.newAddress();
  const config = JSON.stringify({ license_desk_product: String(product_id), ip_address: address });
  await panel.sql(`UPDATE client_order SET status = 'failed_setup', period = '1Y', config = '${config}'`);
  expect(await panel.run("activateOrder")).toContain(`on ${first} for 1 months, not 12: correct the order`);
  await panel.sql("UPDATE client_order SET period = '1M'");
  expect(await panel.run("activateOrder")).toBe("success");
  expect((await panel.service()).license["IP Address"]).toBe(address);
  expect(await balanceOf(reseller)).toBe(990);

  // The module's table is lost.
  await panel.sql("UPDATE service_licensedesk SET license_id = NULL");
  expect(await panel.run("deleteFromOrder")).toBe("success");
  expect(await statusesOf(reseller)).toEqual(["terminated"]);
});

test("two simultaneous activations are one license and one charge, even if the module's memory is lost", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct();
  const panel = await install(reseller, { productId: product_id, address: reseller.newAddress() });
  panel.loseNextInsert();
  const outcomes = await Promise.all([panel.run("activateOrder"), panel.run("activateOrder")]);
  expect(outcomes).toEqual(["success", "success"]);
  expect(await licensesOf(reseller)).toHaveLength(1);
  expect(await balanceOf(reseller)).toBe(990);

  await panel.sql("UPDATE service_licensedesk SET license_id = NULL, sequence = 9");
  await panel.sql("UPDATE client_order SET status = 'failed_setup'");
  expect(await panel.run("activateOrder")).toBe("success");
  expect(await licensesOf(reseller)).toHaveLength(1);
  expect(await balanceOf(reseller)).toBe(990);
});

test("a pending renewal is completed by cron and charged once", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct();
  const panel = await install(reseller, { productId: product_id, address: reseller.newAddress() });
  await panel.run("activateOrder");
  await panel.api("Admin", "move", { ip_address: "192.0.2.20" });
  await settlePending(reseller);
  await panel.cron();
  const { expires_at: before } = await panel.order();
  expect(await panel.run("renewOrder")).toBe(pending("renew"));
  expect((await panel.order()).status).toBe("failed_renew");
  await settlePending(reseller);
  await panel.cron();
  await panel.cron();
  const { status, expires_at: after } = await panel.order();
  expect(status).toBe("active");
  expect(Date.parse(String(after))).toBeGreaterThan(Date.parse(String(before)));
  expect(await balanceOf(reseller)).toBe(980);
});

test("a rejected activation costs nothing, and an empty wallet is named", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct();
  const panel = await install(reseller, { productId: product_id, address: "192.0.2.21" });
  expect(await panel.run("activateOrder")).toBe(pending("activate"));
  await settlePending(reseller);
  await panel.cron();
  expect((await panel.order()).status).toBe("failed_setup");
  const logged = panel.log().match(/^License Desk: activate .*/gm);
  expect(logged).toEqual([
    expect.stringContaining(pending("activate")),
    expect.stringContaining("The provider rejected"),
  ]);
  expect(await balanceOf(reseller)).toBe(1000);

  const poor = await newReseller(reseller.baseUrl, { funds: "1" });
  const { product_id: dear } = await poor.newProduct();
  const folder = test.info().outputPath("poor");
  const poorPanel = await FossBilling.install(folder, poor, { productId: dear, address: poor.newAddress() });
  expect(await poorPanel.run("activateOrder")).toMatch(/^INSUFFICIENT_BALANCE: .*/);
  expect(await licensesOf(poor)).toEqual([]);
});

test("an order form sets the address, and never the product or the cores", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct({ pricePerCore: 300n });
  const panel = await install(reseller, {
    productId: product_id,
    address: reseller.newAddress(),
    config: { cores: "4" },
  });
  const product = { license_desk_product: "1", install_command: "sh" };
  const forged = { ip_address: "203.0.113.7", period: "1M", license_desk_product: "2", cores: 32, ip_changes: 99 };
  expect(await panel.fillCart(product, forged)).toEqual({
    value: { license_desk_product: "1", install_command: "sh", ip_address: "203.0.113.7", period: "1M" },
  });
  for (const ip_address of ["", "2001:db8::1", "web1.example.com"]) {
    expect(await panel.fillCart(product, { ip_address })).toEqual({ failure: "Enter the IPv4 address of the server." });
  }
  expect(await panel.fillCart(product, { ip_address: "203.0.113.7", quantity: "2" })).toEqual({
    failure: "Order one license for each server.",
  });
  await panel.run("activateOrder");
  const [{ id } = { id: "" }] = await licensesOf(reseller);
  const info = await reseller.dispatch.get("license.info", { license_id: Number(id.slice(4)) });
  expect(info.body.data.cores).toBe(4);
});

test("a client sees the license, and moves only it, as often as allowed per term", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct();
  const config = { ip_changes: "1", install_command: "get.sh {license_key}" };
  const panel = await install(reseller, { productId: product_id, address: reseller.newAddress(), config });
  await panel.run("activateOrder");
  const moved = { ip_address: reseller.newAddress() };
  expect(await panel.api("Client", "change_ip", moved, 8)).toEqual({ failure: "Order not found" });
  expect(await panel.api("Client", "change_ip", { ip_address: "192.0.2.300" })).toEqual({
    failure: expect.stringMatching(/^INVALID_IP_ADDRESS: /),
  });
  expect(await panel.api("Client", "change_ip", moved)).toEqual({ value: true });
  const { license, install_command, ip_changes_left } = await panel.service();
  expect(license).toMatchObject({ Status: "Active", "IP Address": moved.ip_address });
  expect(install_command).toBe(`get.sh ${license["License Key"]}`);
  expect(ip_changes_left).toBe(0);
  expect(await panel.api("Client", "change_ip", { ip_address: reseller.newAddress() })).toEqual({
    failure: expect.stringContaining("before the next due date"),
  });
});

test("a move requested after a pending one is done, and a rejected one does not stop a renewal", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct();
  const panel = await install(reseller, { productId: product_id, address: reseller.newAddress() });
  await panel.run("activateOrder");
  const move = (ip_address: string) => panel.api("Admin", "move", { ip_address });
  expect(await move("192.0.2.20")).toEqual({ failure: pending("move") });
  await settlePending(reseller);
  const address = reseller.newAddress();
  expect(await move(address)).toEqual({ value: true });
  expect((await panel.service()).license["IP Address"]).toBe(address);
  expect(await move("192.0.2.21")).toEqual({ failure: pending("move") });
  await settlePending(reseller);
  expect(await panel.run("renewOrder")).toBe("success");
  expect(await balanceOf(reseller)).toBe(980);
});

test("settings show what is wrong with the key, and where orders and licenses differ", async ({ reseller }) => {
  const { product_id, name } = await reseller.newProduct();
  const panel = await install(reseller, { productId: product_id, address: reseller.newAddress() });
  await panel.run("activateOrder");
  expect(await panel.api("Admin", "test_connection")).toEqual({ value: "" });
  expect(await panel.api("Admin", "products")).toMatchObject({
    value: { products: { [product_id]: `${name} (Monthly 10 USD)` }, error: "" },
  });
  expect(await panel.api("Admin", "differences")).toEqual({ value: [] });
  const [{ id } = { id: "" }] = await licensesOf(reseller);
  await setLicense(Number(id.slice(4)), { expiredDays: 1 });
  expect(await panel.api("Admin", "differences")).toEqual({ value: ["Order #5 is active, its license is expired."] });
  expect(await panel.run("cancelFromOrder")).toBe("success");
  expect(await panel.api("Admin", "differences")).toEqual({ value: [] });
  expect(await panel.run("uncancelFromOrder")).toBe("success");
  expect(await statusesOf(reseller)).toEqual(["active"]);
  expect(await balanceOf(reseller)).toBe(980);

  const { apiKey: weakKey } = await reseller.newKey({ scopes: ["licenses:read"] });
  panel.configure({ api_key: weakKey });
  expect(await panel.api("Admin", "test_connection")).toEqual({
    value: "The API key lacks the scopes licenses:write, licenses:terminate, catalog:read. Create one that has them.",
  });
  panel.configure({ api_key: `${weakKey}!` });
  expect(await panel.api("Admin", "test_connection")).toEqual({ value: expect.stringContaining("does not accept") });
  expect(await panel.api("Admin", "products")).toMatchObject({
    value: { error: expect.stringMatching(/^INVALID_API_KEY: /) },
  });
  panel.configure({ url: "http://licenses.example" });
  expect(await panel.api("Admin", "test_connection")).toEqual({
    value: expect.stringContaining("never sent unencrypted"),
  });
  panel.configure({ url: "" });
  expect(await panel.run("uncancelFromOrder")).toBe("Enter the URL and the API key in the settings of License Desk.");
  expect(panel.log()).not.toContain(weakKey);
});

test("an order whose license expired while suspended can be canceled, uncanceled and deleted, and agrees", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct();
  const panel = await install(reseller, { productId: product_id, address: reseller.newAddress() });
  await panel.run("activateOrder");
  const [{ id } = { id: "" }] = await licensesOf(reseller);
  const suspendPastItsEnd = async () => {
    expect(await panel.run("suspendFromOrder")).toBe("success");
    await setLicense(Number(id.slice(4)), { expiredDays: 1 });
  };
  await suspendPastItsEnd();
  expect(await panel.run("cancelFromOrder")).toBe("success");
  expect(await panel.api("Admin", "differences")).toEqual({ value: [] });
  expect(await panel.run("uncancelFromOrder")).toBe("success");
  expect(await statusesOf(reseller)).toEqual(["active"]);
  expect(await balanceOf(reseller)).toBe(980);
  await suspendPastItsEnd();
  expect(await panel.run("deleteFromOrder")).toBe("success");
  expect(await panel.api("Admin", "differences")).toEqual({ value: [] });
});

test("an event completes a pending order at once; a forged one changes nothing", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct();
  const panel = await install(reseller, { productId: product_id, address: "192.0.2.40" });
  const served = await servePhp(join(panel.folder, "web.php"));
  web = served.process;
  const url = `${served.url}/servicelicensedesk/webhook`;
  expect((await sendForgedEvent(url)).status).toBe(400);
  const secret = await connectWebhook(reseller, url, (webhook_secret) => panel.configure({ webhook_secret }));
  expect(await panel.run("activateOrder")).toBe(pending("activate"));
  await settlePending(reseller);
  await expect.poll(async () => (await panel.order()).status).toBe("active");
  const before = [await panel.order(), panel.log()];
  expect((await sendForgedEvent(url)).status).toBe(400);
  expect([await panel.order(), panel.log()]).toEqual(before);
  expect(panel.log()).not.toContain(secret);
});
