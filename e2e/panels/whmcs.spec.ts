import { getRuntime } from "#lib/runtime.ts";
import { verifyWallets } from "#lib/services/wallet/verify.ts";
import { balanceOf, licensesOf, settlePending } from "../support/panels.ts";
import { missingLibrary, missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { infoOf, type Page, Panel, type ServiceFields } from "../support/whmcs.ts";
import { type Reseller, setLicense, systemContext } from "../support/world.ts";

const PENDING = /^CreateAccount is pending: the provider has not confirmed it yet\./;
const MISSING_LICENSE = "The service has no license yet. Create it first.";

test.beforeEach(async () => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
});

const install = (reseller: Reseller, service: ServiceFields) =>
  Panel.install(test.info().outputPath("whmcs"), reseller, service);

test("a service's whole life: pending, completed by cron, suspended, renewed, moved, terminated; each charged once", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct();
  await reseller.newCycle(product_id, { months: 3, price: 2700n });
  const panel = await install(reseller, { productId: product_id, address: "192.0.2.20" });

  expect(await panel.run("Renew")).toBe(MISSING_LICENSE);
  expect(await panel.run("CreateAccount")).toMatch(PENDING);
  expect(await panel.run("CreateAccount")).toMatch(PENDING);
  expect(await panel.run("AdminServicesTabFields")).toEqual({ Pending: "CreateAccount" });
  await panel.cron();
  expect(panel.status()).toBe("Pending");
  await settlePending(reseller);
  await panel.cron();
  expect(panel.status()).toBe("Active");
  expect(await licensesOf(reseller)).toHaveLength(1);
  expect(await balanceOf(reseller)).toBe(990);
  const { "License Key": key, "Dedicated IP": address } = panel.properties();
  expect(key).toMatch(/^LIC-/);
  expect(address).toBe("192.0.2.20");
  expect(await panel.run("CreateAccount")).toBe("success");

  const moved = reseller.newAddress();
  expect(await panel.run("changeIp", { new_ip: moved })).toBe("success");
  expect(panel.properties()["Dedicated IP"]).toBe(moved);

  for (const [command, status] of [
    ["SuspendAccount", "suspended"],
    ["UnsuspendAccount", "active"],
    ["SuspendAccount", "suspended"],
    ["UnsuspendAccount", "active"],
  ] as const) {
    expect(await panel.run(command)).toBe("success");
    expect(await panel.run(command)).toBe("success");
    expect((await infoOf(reseller, panel)).status).toBe(status);
  }

  expect(await panel.run("Renew")).toBe("success");
  expect(await panel.run("Renew")).toBe("success");
  expect(await balanceOf(reseller)).toBe(980);
  panel.change("tblhosting", { nextduedate: "2027-02-28", billingcycle: "Quarterly" });
  expect(await panel.run("ChangePackage")).toBe("success");
  expect(await panel.run("Renew")).toBe("success");
  expect(await balanceOf(reseller)).toBe(953);

  expect(await panel.run("TerminateAccount")).toBe("success");
  expect(await panel.run("TerminateAccount")).toBe("success");
  expect(panel.status()).toBe("Terminated");
  expect((await infoOf(reseller, panel)).status).toBe("terminated");
  const { differences } = await verifyWallets(systemContext());
  expect(differences.filter(({ resellerId }) => resellerId === reseller.resellerId)).toEqual([]);
});

test("a term that was renewed is not paid again, and the next one is, whenever the answer comes", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct();
  const panel = await install(reseller, { productId: product_id, address: "192.0.2.20" });
  await panel.run("CreateAccount");
  await settlePending(reseller);
  await panel.cron();
  expect(await panel.run("Renew")).toContain("Renew is pending");
  // Two invoices are paid before the provider answers.
  panel.change("tblhosting", { nextduedate: "2027-03-31" });
  expect(await panel.run("Renew")).toContain("Renew is pending");
  for (const balance of [970, 970]) {
    await settlePending(reseller);
    await panel.cron();
    expect(await balanceOf(reseller)).toBe(balance);
  }
  expect(await panel.run("Renew")).toBe("success");
  expect(await balanceOf(reseller)).toBe(970);

  // The answer is lost, and the key is forgotten before somebody runs the command again.
  panel.change("mod_licensedesk", { renewed_term: null });
  await getRuntime().db.prisma.idempotencyRecord.deleteMany({ where: { resellerId: reseller.resellerId } });
  expect(await panel.run("Renew")).toBe("success");
  expect(await balanceOf(reseller)).toBe(970);
});

test("two simultaneous creates, and two simultaneous renewals, are one license and one charge each", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct();
  const panel = await install(reseller, { productId: product_id, address: reseller.newAddress() });
  expect(await Promise.all([panel.run("CreateAccount"), panel.run("CreateAccount")])).toEqual(["success", "success"]);
  expect(await licensesOf(reseller)).toHaveLength(1);
  expect(await balanceOf(reseller)).toBe(990);
  expect(await Promise.all([panel.run("Renew"), panel.run("Renew")])).toEqual(["success", "success"]);
  expect(await balanceOf(reseller)).toBe(980);

  // The module's memory is lost, and the idempotency key with it.
  panel.change("mod_licensedesk", { license_id: null, sequence: 9 });
  expect(await panel.run("CreateAccount")).toBe("success");
  expect(await licensesOf(reseller)).toHaveLength(1);
  expect(await balanceOf(reseller)).toBe(980);
});

test("a rejected create costs nothing and succeeds with another address", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct();
  const panel = await install(reseller, { productId: product_id, address: "192.0.2.10" });
  expect(await panel.run("CreateAccount")).toMatch(/^REGISTRATION_FAILED: /);
  panel.changeParams({ customfields: { "IP Address": "192.0.2.21" } });
  expect(await panel.run("CreateAccount")).toMatch(PENDING);
  await settlePending(reseller);
  await panel.cron();
  expect(panel.status()).toBe("Pending");
  expect(await balanceOf(reseller)).toBe(1000);
  panel.changeParams({ customfields: { "IP Address": reseller.newAddress() } });
  expect(await panel.run("CreateAccount")).toBe("success");
  expect(await balanceOf(reseller)).toBe(990);
});

test("a create or a renewal whose first attempt had other parameters and lost its answer continues under another key", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct();
  await reseller.newCycle(product_id, { months: 3, price: 2700n });
  const panel = await install(reseller, { productId: product_id, address: "192.0.2.10" });
  expect(await panel.run("CreateAccount")).toMatch(/^REGISTRATION_FAILED: /);
  // As if the rejection had not arrived.
  panel.change("mod_licensedesk", { sequence: 0 });
  panel.changeParams({ customfields: { "IP Address": reseller.newAddress() } });
  expect(await panel.run("CreateAccount")).toBe("success");
  expect(await balanceOf(reseller)).toBe(990);

  const id = Number(panel.properties()["License ID"]?.slice(4));
  await setLicense(id, { movedTo: "192.0.2.10" });
  expect(await panel.run("Renew")).toMatch(/^PROVIDER_REJECTED: /);
  panel.change("mod_licensedesk", { sequence: 0 });
  await setLicense(id, { movedTo: reseller.newAddress() });
  panel.change("tblhosting", { billingcycle: "Quarterly" });
  expect(await panel.run("Renew")).toMatch(/^IDEMPOTENCY_KEY_REUSED: /);
  expect(await panel.run("Renew")).toBe("success");
  expect(await balanceOf(reseller)).toBe(963);
});

test("cores are bought with the service and changed by an upgrade", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct({ pricePerCore: 300n });
  const service = { productId: product_id, address: reseller.newAddress(), configOptions: { Cores: 4 } };
  const panel = await install(reseller, service);
  expect(await panel.run("CreateAccount")).toBe("success");
  expect((await infoOf(reseller, panel)).cores).toBe(4);
  panel.changeParams({ configoptions: { Cores: 2 } });
  expect(await Promise.all([panel.run("ChangePackage"), panel.run("ChangePackage")])).toEqual(["success", "success"]);
  expect((await infoOf(reseller, panel)).cores).toBe(2);
  panel.changeParams({ addonId: 7 });
  expect(await panel.run("TerminateAccount")).toContain("Sell it as a product.");
  panel.changeParams({ addonId: 0, configoption1: String((await reseller.newProduct()).product_id) });
  expect(await panel.run("ChangePackage")).toContain("Order a new service.");
});

test("a client moves the license as often as allowed per term", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct();
  const service = { productId: product_id, address: reseller.newAddress(), options: { configoption2: "2" } };
  const panel = await install(reseller, service);
  await panel.run("CreateAccount");
  expect(await panel.run("changeIp", { new_ip: "not an address" })).toMatch(/^INVALID_IP_ADDRESS: /);
  expect(await panel.run("changeIp", { new_ip: reseller.newAddress() })).toBe("success");
  expect(await panel.run("changeIp")).toMatchObject({ vars: { changesLeft: 1 } });
  const last = reseller.newAddress();
  expect(await panel.run("changeIp", { new_ip: last })).toBe("success");
  expect(await panel.run("changeIp", { new_ip: reseller.newAddress() })).toContain("before the next due date");
  expect((await infoOf(reseller, panel)).ip_address).toBe(last);
  panel.change("tblhosting", { nextduedate: "2027-02-28" });
  expect(await panel.run("changeIp", { new_ip: reseller.newAddress() })).toBe("success");
});

for (const state of ["active", "suspended"] as const) {
  test(`terminating a service whose ${state} license has expired succeeds, and creating it again renews the license`, async ({
    reseller,
  }) => {
    const { product_id } = await reseller.newProduct();
    const panel = await install(reseller, { productId: product_id, address: reseller.newAddress() });
    expect(await panel.run("TerminateAccount")).toBe("success");
    await panel.run("CreateAccount");
    if (state === "suspended") expect(await panel.run("SuspendAccount")).toBe("success");
    await setLicense(Number(panel.properties()["License ID"]?.slice(4)), { expiredDays: 1 });
    expect(await panel.run("TerminateAccount")).toBe("success");
    const address = reseller.newAddress();
    panel.changeParams({ customfields: { "IP Address": address } });
    expect(await Promise.all([panel.run("CreateAccount"), panel.run("CreateAccount")])).toEqual(["success", "success"]);
    expect(await infoOf(reseller, panel)).toMatchObject({ status: "active", ip_address: address });
    expect(await balanceOf(reseller)).toBe(980);
  });
}

test("the panel's pages show products, licenses and their state", async ({ reseller }) => {
  const { product_id, name } = await reseller.newProduct();
  const options = { configoption3: "curl -fsS https://get.example/install | sh -s {license_key}" };
  const panel = await install(reseller, { productId: product_id, address: reseller.newAddress(), options });
  await panel.run("CreateAccount");
  const { "License ID": id, "License Key": key, "Dedicated IP": address } = panel.properties();
  expect((await panel.askServer("LoadProducts"))[product_id]).toBe(`${name} (Monthly 10 USD)`);
  const license = {
    "License Key": key,
    Status: "Active",
    "IP Address": address,
    Expires: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  };
  expect(await panel.run("AdminServicesTabFields")).toEqual(license);
  expect(await panel.run("ClientArea")).toEqual({
    templatefile: "templates/overview",
    vars: { license, installCommand: `curl -fsS https://get.example/install | sh -s ${key}` },
  });
  expect(await panel.askServer("ListAccounts")).toMatchObject({
    success: true,
    accounts: [{ uniqueIdentifier: id, product: String(product_id), primaryip: address, status: "Active" }],
  });
});

test("templates show the license and the form, and escape what others wrote", async ({ reseller }) => {
  const missing = await missingLibrary("smarty4/Smarty.class.php");
  test.skip(missing !== null, String(missing));
  const { product_id } = await reseller.newProduct();
  const options = { configoption2: "1", configoption3: "get.sh {license_key} && reboot" };
  const panel = await install(reseller, { productId: product_id, address: reseller.newAddress(), options });
  const render = async (command: string) => panel.render((await panel.run(command)) as Page);
  expect(await render("ClientArea")).toContain("The license is being prepared.");
  await panel.run("CreateAccount");
  const { "License Key": key, "Dedicated IP": address } = panel.properties();
  const overview = await render("ClientArea");
  expect(overview).toContain(`<div class="col-sm-7 text-left">${key}</div>`);
  expect(overview).toContain(`<pre class="text-left">get.sh ${key} &amp;&amp; reboot</pre>`);
  const withToken = async () => {
    const page = (await panel.run("changeIp")) as Page;
    return panel.render({ ...page, vars: { ...page.vars, token: "genuine", serviceid: 42 } });
  };
  expect(await withToken()).toContain(`The license is bound to ${address}. Changes left in this term: 1.`);
  expect(await withToken()).not.toContain("disabled");
  await panel.run("changeIp", { new_ip: reseller.newAddress() });
  expect(await withToken()).toContain("disabled");
});

test("Test Connection says what is wrong with the key, and no secret is logged", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct();
  const panel = await install(reseller, { productId: product_id, address: reseller.newAddress() });
  expect(await panel.askServer("TestConnection")).toEqual({ success: true, error: "" });
  await panel.run("CreateAccount");

  const { apiKey: weakKey } = await reseller.newKey({ scopes: ["licenses:read"] });
  const wrongKey = `${reseller.apiKey.slice(0, -1)}!`;
  for (const [key, error] of [
    [wrongKey, /does not accept the API key\. Paste a valid one/],
    [weakKey, /lacks the scopes licenses:write, licenses:terminate, catalog:read\./],
    ["", /has no API key/],
  ] as const) {
    panel.change("tblservers", { password: Buffer.from(key).toString("base64") });
    expect(await panel.askServer("TestConnection")).toEqual({ success: false, error: expect.stringMatching(error) });
    expect(await panel.run("SuspendAccount")).not.toBe("success");
  }
  panel.change("tblservers", { port: "9", password: Buffer.from(weakKey).toString("base64") });
  expect(await panel.run("SuspendAccount")).toMatch(/^The license server did not answer\./);
  expect(await panel.run("ClientArea")).toMatchObject({ vars: { license: { Status: "Unknown" }, installCommand: "" } });
  panel.change("tblservers", { hostname: "licenses.example", password: Buffer.from("key").toString("base64") });
  expect((await panel.askServer("TestConnection")).error).toContain("never sent unencrypted");
  const log = panel.read().log.join("\n");
  expect(log).toContain("SuspendAccount");
  for (const secret of [reseller.apiKey, wrongKey, weakKey]) expect(log).not.toContain(secret);
});
