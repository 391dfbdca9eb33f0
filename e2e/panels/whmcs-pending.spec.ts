import { startFaultyProxy } from "../support/faulty-proxy.ts";
import { balanceOf, licensesOf, settlePending } from "../support/panels.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { infoOf, Panel, type ServiceFields } from "../support/whmcs.ts";
import { type Reseller, setLicense } from "../support/world.ts";

test.beforeEach(async () => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
});

async function create(reseller: Reseller, service: Omit<ServiceFields, "address">): Promise<Panel> {
  const folder = test.info().outputPath("whmcs");
  const panel = await Panel.install(folder, reseller, { ...service, address: reseller.newAddress() });
  expect(await panel.run("CreateAccount")).toBe("success");
  return panel;
}

test("a change of cores requested while another is pending is done once that one is complete", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct({ pricePerCore: 300n });
  const panel = await create(reseller, { productId: product_id });
  expect(await panel.run("changeIp", { new_ip: "192.0.2.20" })).toContain("changeIp is pending");
  await settlePending(reseller);
  await panel.cron();
  panel.changeParams({ configoptions: { Cores: 4 } });
  expect(await panel.run("ChangePackage")).toContain("ChangePackage is pending");
  panel.changeParams({ configoptions: { Cores: 8 } });
  expect(await panel.run("ChangePackage")).toContain("ChangePackage is pending");
  await settlePending(reseller);
  expect((await infoOf(reseller, panel)).cores).toBe(4);
  expect(await panel.run("ChangePackage")).toContain("ChangePackage is pending");
  await settlePending(reseller);
  await panel.cron();
  expect(await panel.run("AdminServicesTabFields")).not.toHaveProperty("Pending");
  expect((await infoOf(reseller, panel)).cores).toBe(8);
});

test("a move requested while another is pending is done once that one is complete, and counts once", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct();
  const panel = await create(reseller, { productId: product_id, options: { configoption2: "2" } });
  expect(await panel.run("changeIp", { new_ip: "192.0.2.20" })).toContain("changeIp is pending");
  const address = reseller.newAddress();
  for (const _ of ["once", "again"]) {
    expect(await panel.run("changeIp", { new_ip: address })).toContain("changeIp is pending");
  }
  await settlePending(reseller);
  expect(await panel.run("changeIp", { new_ip: address })).toBe("success");
  expect((await infoOf(reseller, panel)).ip_address).toBe(address);
  expect(await panel.run("changeIp")).toMatchObject({ vars: { changesLeft: 0 } });
});

test("a client's move counts if it may have happened, not if nothing was sent", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct();
  const panel = await create(reseller, { productId: product_id, options: { configoption2: "1" } });
  expect(await panel.run("changeIp", { new_ip: "192.0.2.60" })).toMatch(/^PROVIDER_UNAVAILABLE: /);
  expect(await panel.run("changeIp")).toMatchObject({ vars: { changesLeft: 1 } });
  const proxy = await startFaultyProxy(reseller.baseUrl, ["response lost", { status: 404 }]);
  panel.change("tblservers", { port: new URL(proxy.url).port });
  expect(await panel.run("changeIp", { new_ip: reseller.newAddress() })).toContain("Something else than the license");
  await proxy.close();
  expect(await panel.run("changeIp")).toMatchObject({ vars: { changesLeft: 0 } });
});

test("a rejected change stops no other command, and is reported to its own and to staff who complete it", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct();
  const panel = await create(reseller, { productId: product_id });
  const moveInVain = async () => {
    expect(await panel.run("changeIp", { new_ip: "192.0.2.21" })).toContain("changeIp is pending");
    await settlePending(reseller);
  };
  await moveInVain();
  expect(await panel.run("Renew")).toBe("success");
  expect(await balanceOf(reseller)).toBe(980);
  await moveInVain();
  expect(await panel.run("changeIp", { new_ip: reseller.newAddress() })).toContain("The provider rejected changeIp");
  await moveInVain();
  expect(await panel.run("completePending")).toContain("The provider rejected changeIp");
  panel.change("mod_licensedesk", { ip_changes: 0 });
  await moveInVain();
  expect(await panel.run("TerminateAccount")).toBe("success");
  expect((await licensesOf(reseller)).map(({ status }) => status)).toEqual(["terminated"]);
});

test("a renewal whose answer is lost before a proxy answers 404 keeps its idempotency key", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct();
  const panel = await create(reseller, { productId: product_id });
  await setLicense((await infoOf(reseller, panel)).license_id, { movedTo: "192.0.2.20" });
  const proxy = await startFaultyProxy(reseller.baseUrl, ["passed on", "response lost", { status: 404 }]);
  panel.change("tblservers", { port: new URL(proxy.url).port });
  expect(await panel.run("Renew")).toContain("Something else than the license server answered, with status 404");
  expect(await panel.run("Renew")).toContain("Renew is pending");
  await proxy.close();
  panel.change("tblservers", { port: new URL(reseller.baseUrl).port });
  await settlePending(reseller);
  await panel.cron();
  expect(await panel.run("Renew")).toBe("success");
  expect(await balanceOf(reseller)).toBe(980);
});

test("the activity log shows what cron could not do, and for which service", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct();
  const panel = await create(reseller, { productId: product_id });
  const activity = () => panel.read().log.filter((entry) => entry.startsWith('["License Desk: '));
  expect(await panel.run("changeIp", { new_ip: "192.0.2.21" })).toContain("changeIp is pending");
  expect(activity()).toEqual([]);

  panel.change("tblservers", { port: 1 });
  await panel.cron();
  expect(activity()).toEqual([expect.stringMatching(/^\["License Desk: service 42: \w/)]);

  panel.change("tblservers", { port: new URL(reseller.baseUrl).port });
  await settlePending(reseller);
  await panel.cron();
  expect(activity()[1]).toContain("License Desk: service 42: The provider rejected changeIp");
});
