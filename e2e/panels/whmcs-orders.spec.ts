import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { balanceOf, licensesOf, settlePending } from "../support/panels.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { infoOf, Panel } from "../support/whmcs.ts";
import { type Reseller, setLicense } from "../support/world.ts";

/** The module's row when the answer of a create was lost; without `registered_address` when the module's table was. */
const LOST_TABLE = { license_id: null, sequence: 0, registered_address: null };

test.beforeEach(async () => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
});

async function install(reseller: Reseller, address: string, options: Readonly<Record<string, unknown>> = {}) {
  const { product_id } = await reseller.newProduct();
  await reseller.newCycle(product_id, { months: 12, price: 9000n });
  return Panel.install(test.info().outputPath("whmcs"), reseller, { productId: product_id, address, options });
}

const orderAddress = (panel: Panel, address: string) => panel.changeParams({ customfields: { "IP Address": address } });

test("a create whose answer was lost moves the license to the corrected address, and refuses another cycle", async ({
  reseller,
}) => {
  const first = reseller.newAddress();
  const panel = await install(reseller, first);
  await panel.run("CreateAccount");
  panel.change("mod_licensedesk", { ...LOST_TABLE, registered_address: first });
  const corrected = reseller.newAddress();
  orderAddress(panel, corrected);
  panel.change("tblhosting", { billingcycle: "Annually" });
  expect(await panel.run("CreateAccount")).toMatch(
    new RegExp(
      `^The service has license lic_\\d+ on ${first} for 1 months, not 12: correct the order, or terminate it`,
    ),
  );
  panel.change("tblhosting", { billingcycle: "Monthly" });
  expect(await panel.run("CreateAccount")).toBe("success");
  expect((await infoOf(reseller, panel)).ip_address).toBe(corrected);
  expect(await panel.run("AdminServicesTabFields")).toMatchObject({ "IP Address": corrected });

  orderAddress(panel, first);
  expect(await panel.run("CreateAccount")).toContain(`on ${corrected}: move it, or correct the order.`);
  expect(await licensesOf(reseller)).toHaveLength(1);
  expect(await balanceOf(reseller)).toBe(990);
});

test("a pending create whose order is corrected meanwhile completes on the corrected address", async ({ reseller }) => {
  const panel = await install(reseller, "192.0.2.20");
  expect(await panel.run("CreateAccount")).toContain("CreateAccount is pending");
  const corrected = reseller.newAddress();
  orderAddress(panel, corrected);
  await settlePending(reseller);
  await panel.cron();
  expect(panel.status()).toBe("Active");
  expect((await infoOf(reseller, panel)).ip_address).toBe(corrected);
  expect(await balanceOf(reseller)).toBe(990);
});

test("a client's own move stays when the create whose answer was lost is repeated, or the service created again", async ({
  reseller,
}) => {
  const first = reseller.newAddress();
  const panel = await install(reseller, first);
  await panel.run("CreateAccount");
  panel.change("mod_licensedesk", { license_id: null, registered_address: first });
  const moved = reseller.newAddress();
  expect(await panel.run("changeIp", { new_ip: moved })).toBe("success");
  expect(await panel.run("CreateAccount")).toBe("success");
  expect((await infoOf(reseller, panel)).ip_address).toBe(moved);

  panel.change("mod_licensedesk", { license_id: null, registered_address: first });
  orderAddress(panel, first);
  expect(await panel.run("CreateAccount")).toBe("success");
  expect((await infoOf(reseller, panel)).ip_address).toBe(moved);

  expect(await panel.run("TerminateAccount")).toBe("success");
  expect(await panel.run("CreateAccount")).toBe("success");
  expect((await infoOf(reseller, panel)).ip_address).toBe(moved);
  expect(await balanceOf(reseller)).toBe(980);
});

test("without the module's table, commands find the service's license, and terminate ends it", async ({ reseller }) => {
  const panel = await install(reseller, reseller.newAddress());
  await panel.run("CreateAccount");
  for (const [command, status] of [
    ["SuspendAccount", "suspended"],
    ["UnsuspendAccount", "active"],
    ["Renew", "active"],
    ["TerminateAccount", "terminated"],
  ] as const) {
    panel.change("mod_licensedesk", LOST_TABLE);
    expect(await panel.run(command)).toBe("success");
    expect((await infoOf(reseller, panel)).status).toBe(status);
  }
  expect(await balanceOf(reseller)).toBe(980);
  expect(await panel.run("TerminateAccount")).toBe("success");
});

test("a create after the license was terminated in License Desk, or its termination was forgotten, registers another", async ({
  reseller,
}) => {
  const panel = await install(reseller, reseller.newAddress());
  await panel.run("CreateAccount");
  await reseller.dispatch.post("license.terminate", { license_id: panel.properties()["License ID"]?.slice(4) });
  expect(await panel.run("CreateAccount")).toBe("success");
  expect((await infoOf(reseller, panel)).status).toBe("active");
  expect(await panel.run("TerminateAccount")).toBe("success");
  panel.change("mod_licensedesk", LOST_TABLE);
  expect(await panel.run("CreateAccount")).toBe("success");
  expect((await infoOf(reseller, panel)).status).toBe("active");
  expect(await balanceOf(reseller)).toBe(970);
});

test("a pending suspension of a service that is not paid is carried out", async ({ reseller }) => {
  const panel = await install(reseller, reseller.newAddress());
  await panel.run("CreateAccount");
  await setLicense(Number(panel.properties()["License ID"]?.slice(4)), { movedTo: "192.0.2.20" });
  expect(await panel.run("SuspendAccount")).toContain("SuspendAccount is pending");
  await settlePending(reseller);
  await panel.cron();
  expect(panel.status()).toBe("Suspended");
  expect((await infoOf(reseller, panel)).status).toBe("suspended");
});

test("a page of a client does not wait long for a server that does not answer", async ({ reseller }) => {
  const panel = await install(reseller, reseller.newAddress());
  await panel.run("CreateAccount");
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  panel.change("tblservers", { port: String((silent.address() as AddressInfo).port) });
  const start = Date.now();
  expect(await panel.run("ClientArea")).toMatchObject({ vars: { license: { Status: "Unknown" } } });
  expect(Date.now() - start).toBeLessThan(8_000);
  silent.close();
});
