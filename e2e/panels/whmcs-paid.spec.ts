import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { balanceOf, settlePending } from "../support/panels.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { infoOf } from "../support/whmcs.ts";
import { install, moveUnasked, payWhileSuspending } from "../support/whmcs-paid.ts";
import { newReseller, setLicense, systemContext } from "../support/world.ts";

test.beforeEach(async () => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
});

for (const [address, outcome] of [
  ["192.0.2.20", "carried out"],
  ["192.0.2.21", "rejected"],
] as const) {
  test(`a service that is paid while its suspension is pending is active and renewed once, even if that is ${outcome}`, async ({
    reseller,
  }) => {
    const panel = await install(reseller, reseller.newAddress());
    await panel.run("CreateAccount");
    const id = Number(panel.properties()["License ID"]?.slice(4));
    await setLicense(id, { movedTo: address });
    expect(await panel.run("SuspendAccount")).toContain("SuspendAccount is pending");
    panel.change("tblhosting", { nextduedate: "2027-02-28" });
    expect(await panel.run("Renew")).toContain("SuspendAccount is pending");
    await settlePending(reseller);
    await setLicense(id, { movedTo: reseller.newAddress() });
    for (const _ of ["once", "again"]) await panel.cron();
    expect(panel.status()).toBe("Active");
    expect((await infoOf(reseller, panel)).status).toBe("active");
    expect(await balanceOf(reseller)).toBe(980);
    expect(await panel.run("Renew")).toBe("success");
    expect(await balanceOf(reseller)).toBe(980);
  });
}

test("a service whose create or unsuspension is pending when a renewal is paid is active and renewed", async ({
  reseller,
}) => {
  const panel = await install(reseller, "192.0.2.20");
  expect(await panel.run("CreateAccount")).toContain("CreateAccount is pending");
  expect(await panel.run("Renew")).toContain("CreateAccount is pending");
  await settlePending(reseller);
  await panel.cron();
  expect(panel.status()).toBe("Active");
  await settlePending(reseller);
  await panel.cron();
  expect(await balanceOf(reseller)).toBe(980);

  expect(await panel.run("SuspendAccount")).toContain("SuspendAccount is pending");
  await settlePending(reseller);
  await panel.cron();
  expect(panel.status()).toBe("Suspended");
  panel.change("tblhosting", { nextduedate: "2027-02-28" });
  expect(await panel.run("UnsuspendAccount")).toContain("UnsuspendAccount is pending");
  expect(await panel.run("Renew")).toContain("UnsuspendAccount is pending");
  for (const _ of ["unsuspended", "renewed"]) {
    await settlePending(reseller);
    await panel.cron();
  }
  expect(panel.status()).toBe("Active");
  expect((await infoOf(reseller, panel)).status).toBe("active");
  expect(await balanceOf(reseller)).toBe(970);
  expect(await panel.run("AdminServicesTabFields")).not.toHaveProperty("Pending");
});

test("a renewal that is due is repeated until it succeeds, and so is the lifting of its suspension", async ({
  reseller,
}) => {
  const panel = await payWhileSuspending(reseller);
  await moveUnasked(panel, "192.0.2.60");
  await panel.cron();
  expect((await infoOf(reseller, panel)).status).toBe("suspended");
  await moveUnasked(panel, reseller.newAddress());
  for (const _ of ["once", "again"]) await panel.cron();
  expect(panel.status()).toBe("Active");
  expect((await infoOf(reseller, panel)).status).toBe("active");
  expect(await balanceOf(reseller)).toBe(980);
});

test("a renewal that is due and that the wallet does not cover is repeated after a top-up, unless the service ended", async ({
  reseller: { baseUrl },
}) => {
  const reseller = await newReseller(baseUrl, { funds: "15" });
  const panel = await payWhileSuspending(reseller);
  await moveUnasked(panel, reseller.newAddress());
  await panel.cron();
  expect((await infoOf(reseller, panel)).status).toBe("active");
  expect(await balanceOf(reseller)).toBe(5);
  await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "10", note: "" });
  panel.change("tblhosting", { domainstatus: "Cancelled" });
  await panel.cron();
  expect(await balanceOf(reseller)).toBe(15);
  panel.change("tblhosting", { domainstatus: "Active" });
  for (const _ of ["once", "again"]) await panel.cron();
  expect(await balanceOf(reseller)).toBe(5);
});

test("a renewal that is due, and the lifting of its suspension, are done after another command came in between", async ({
  reseller,
}) => {
  const panel = await payWhileSuspending(reseller);
  expect(await panel.run("changeIp", { new_ip: reseller.newAddress() })).toBe("success");
  for (const _ of ["once", "again"]) await panel.cron();
  expect(panel.status()).toBe("Active");
  expect((await infoOf(reseller, panel)).status).toBe("active");
  expect(await balanceOf(reseller)).toBe(980);
});

test("a payment lifts no suspension for another reason than non-payment, and renews once", async ({ reseller }) => {
  const panel = await payWhileSuspending(reseller, "Abuse");
  await moveUnasked(panel, reseller.newAddress());
  for (const _ of ["once", "again"]) await panel.cron();
  expect(panel.status()).toBe("Suspended");
  expect((await infoOf(reseller, panel)).status).toBe("suspended");
  expect(await balanceOf(reseller)).toBe(980);
});

test("a renewal that is repeated for a renewed term lifts no suspension", async ({ reseller }) => {
  const panel = await install(reseller, reseller.newAddress());
  await panel.run("CreateAccount");
  expect(await panel.run("Renew")).toBe("success");
  await moveUnasked(panel, "192.0.2.20");
  expect(await panel.run("SuspendAccount")).toContain("SuspendAccount is pending");
  expect(await panel.run("Renew")).toContain("SuspendAccount is pending");
  await settlePending(reseller);
  expect(await panel.run("Renew")).toBe("success");
  expect((await infoOf(reseller, panel)).status).toBe("suspended");
  await panel.cron();
  expect((await infoOf(reseller, panel)).status).toBe("suspended");
  expect(await balanceOf(reseller)).toBe(980);
});
