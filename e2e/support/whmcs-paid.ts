import { settlePending } from "./panels.ts";
import { expect, test } from "./test.ts";
import { infoOf, Panel } from "./whmcs.ts";
import { type Reseller, setLicense } from "./world.ts";

export async function install(reseller: Reseller, address: string): Promise<Panel> {
  const { product_id } = await reseller.newProduct();
  return Panel.install(test.info().outputPath("whmcs"), reseller, { productId: product_id, address });
}

export async function moveUnasked(panel: Panel, address: string): Promise<void> {
  await setLicense(Number(panel.properties()["License ID"]?.slice(4)), { movedTo: address });
}

/** A service that was paid while its suspension was pending; that is carried out meanwhile. */
export async function payWhileSuspending(reseller: Reseller, suspendreason?: string): Promise<Panel> {
  const panel = await install(reseller, reseller.newAddress());
  expect(await panel.run("CreateAccount")).toBe("success");
  await moveUnasked(panel, "192.0.2.20");
  if (suspendreason !== undefined) panel.changeParams({ suspendreason });
  expect(await panel.run("SuspendAccount")).toContain("SuspendAccount is pending");
  // The panel's own reason, unless a call names another one.
  panel.changeParams({ suspendreason: "Overdue on Payment" });
  panel.change("tblhosting", { domainstatus: "Active", nextduedate: "2027-02-28" });
  expect(await panel.run("Renew")).toContain("SuspendAccount is pending");
  await settlePending(reseller);
  expect((await infoOf(reseller, panel)).status).toBe("suspended");
  return panel;
}
