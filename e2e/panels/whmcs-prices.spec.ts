import { missingPhp } from "../support/php.ts";
import { expect, test } from "../support/test.ts";
import { Panel } from "../support/whmcs.ts";

const FORM = { apply: "1", token: "genuine" };

test("the addon shows costs and sets prices with the markup, rounded up, on request or daily", async ({ reseller }) => {
  const missing = await missingPhp();
  test.skip(missing !== null, String(missing));
  const { product_id } = await reseller.newProduct({ price: 1450n, setupFee: 500n });
  await reseller.newCycle(product_id, { months: 3, price: 4133n });
  const service = { productId: product_id, address: reseller.newAddress() };
  const panel = await Panel.install(test.info().outputPath("whmcs"), reseller, service);
  const prices = () => panel.read().tblpricing.rows[0];
  const initial = prices();

  const page = await panel.openAddon("25");
  expect(page).toContain("<td>Panel license<td>monthly<td>USD<td>14.5<td>1.00<td>18.13");
  expect(page).not.toContain("quarterly");
  await panel.cron("DailyCronJob");
  expect(prices()).toEqual(initial);

  const after = { ...initial, monthly: "18.13", msetupfee: "6.25" };
  expect(await panel.openAddon("25", FORM)).toContain("Prices set: 2.");
  expect(prices()).toEqual(after);
  expect(await panel.openAddon("25", FORM)).toContain("Prices set: 0.");

  panel.change("tbladdonmodules", { value: "on" });
  panel.addRow("tbladdonmodules", { id: 2, module: "licensedesk", setting: "markup", value: "much" });
  await panel.cron("DailyCronJob");
  expect(prices()).toEqual(after);
  expect(panel.read().log.join("\n")).toContain("prices are unchanged");
  panel.change("tbladdonmodules", { setting: "markup", value: "0.5" });
  panel.addRow("tbladdonmodules", { id: 3, module: "licensedesk", setting: "daily", value: "on" });
  await panel.cron("DailyCronJob");
  expect(prices()).toEqual({ ...initial, monthly: "14.58", msetupfee: "5.03" });
});
