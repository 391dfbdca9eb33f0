import { getRuntime } from "#lib/runtime.ts";
import { balanceOf, settlePending } from "../support/panels.ts";
import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { infoOf, Panel } from "../support/whmcs.ts";
import { install, moveUnasked, payWhileSuspending } from "../support/whmcs-paid.ts";
import type { Reseller } from "../support/world.ts";

test.beforeEach(async () => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
});

const NOT_LIFTED = "The renewal paid for 2027-02-28 does not lift the suspension, and this is not tried again: ";

async function suspendAsAdmin(panel: Panel): Promise<void> {
  const id = Number(panel.properties()["License ID"]?.slice(4));
  await getRuntime().db.prisma.license.updateMany({ where: { id }, data: { suspendedBy: "admin" } });
}

/** Two more runs of cron send no change and log nothing. */
async function expectEnd(reseller: Reseller, panel: Panel): Promise<void> {
  const { log } = panel.read();
  const where = { resellerId: reseller.resellerId };
  const operations = await getRuntime().db.prisma.operation.count({ where });
  for (const _ of ["once", "again"]) await panel.cron();
  expect(panel.read().log).toEqual(log);
  expect(await getRuntime().db.prisma.operation.count({ where })).toBe(operations);
  expect(await panel.run("AdminServicesTabFields")).not.toHaveProperty("Pending");
}

const linesOf = (panel: Panel, text: string) =>
  panel.read().log.filter((entry) => entry.startsWith('["License Desk: service 42: ') && entry.includes(text));
const notices = (panel: Panel) => linesOf(panel, "does not lift");

test("a suspension that only an admin can lift is reported once, and the paid term is renewed", async ({
  reseller,
}) => {
  const panel = await payWhileSuspending(reseller);
  await moveUnasked(panel, reseller.newAddress());
  await suspendAsAdmin(panel);
  for (const _ of ["the suspension's outcome", "the renewal"]) await panel.cron();
  expect(notices(panel)).toEqual([expect.stringContaining(`service 42: ${NOT_LIFTED}An administrator suspended`)]);
  expect((await infoOf(reseller, panel)).status).toBe("suspended");
  expect(await balanceOf(reseller)).toBe(980);
  await expectEnd(reseller, panel);
});

test("a suspension whose lifting the provider rejects at once, and the renewal that it rejects, too, are reported once", async ({
  reseller,
}) => {
  const panel = await payWhileSuspending(reseller);
  await moveUnasked(panel, "192.0.2.10");
  for (const _ of ["the suspension's outcome", "the renewal"]) await panel.cron();
  expect(notices(panel)).toHaveLength(1);
  expect(linesOf(panel, "PROVIDER_REJECTED")).toHaveLength(1);
  expect(await balanceOf(reseller)).toBe(990);
  await expectEnd(reseller, panel);
});

test("a suspension whose lifting is pending and then rejected is reported once, and the paid term is renewed", async ({
  reseller,
}) => {
  const panel = await payWhileSuspending(reseller);
  await moveUnasked(panel, "192.0.2.21");
  await panel.cron();
  await settlePending(reseller);
  await moveUnasked(panel, reseller.newAddress());
  await panel.cron();
  expect(notices(panel)).toEqual([expect.stringContaining(NOT_LIFTED)]);
  expect((await infoOf(reseller, panel)).status).toBe("suspended");
  expect(await balanceOf(reseller)).toBe(980);
  await expectEnd(reseller, panel);
});

test("an API key that lacks a scope for a while ends no lifting: it is repeated until the key has it", async ({
  reseller,
}) => {
  const panel = await payWhileSuspending(reseller);
  await moveUnasked(panel, reseller.newAddress());
  const { apiKey } = await reseller.newKey({ scopes: ["licenses:read", "catalog:read"] });
  const password = panel.read().tblservers.rows[0]?.password;
  panel.change("tblservers", { password: Buffer.from(apiKey).toString("base64") });
  for (const _ of ["once", "again"]) await panel.cron();
  expect(notices(panel)).toEqual([]);
  panel.change("tblservers", { password });
  await panel.cron();
  expect((await infoOf(reseller, panel)).status).toBe("active");
  expect(await balanceOf(reseller)).toBe(980);
  await expectEnd(reseller, panel);
});

test("a change whose command fails before it comes to it is closed in the run of cron that learns its outcome", async ({
  reseller,
}) => {
  const { product_id } = await reseller.newProduct({ pricePerCore: 300n });
  const { product_id: another } = await reseller.newProduct();
  const panel = await Panel.install(test.info().outputPath("whmcs"), reseller, {
    productId: product_id,
    address: reseller.newAddress(),
  });
  expect(await panel.run("CreateAccount")).toBe("success");
  await moveUnasked(panel, "192.0.2.20");
  panel.changeParams({ configoptions: { Cores: 4 } });
  expect(await panel.run("ChangePackage")).toContain("ChangePackage is pending");
  panel.changeParams({ configoption1: String(another) });
  await settlePending(reseller);
  await panel.cron();
  expect(panel.read().log.join()).toContain("cannot become one of another product");
  await expectEnd(reseller, panel);
});

test("the due renewal of a test license that is gone ends with one line", async ({ reseller }) => {
  const panel = await install(reseller, reseller.newAddress());
  expect(await panel.run("CreateAccount")).toBe("success");
  panel.change("mod_licensedesk", { mode: "test", license_id: 2_147_483_647, due_term: "2027-01-31" });
  await panel.cron();
  expect(linesOf(panel, "LICENSE_NOT_FOUND")).toHaveLength(1);
  await expectEnd(reseller, panel);
});
