import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

test("the pages of an admin's desk are accessible and fit, also with long names", async ({
  page,
  login,
  newReseller,
}) => {
  test.slow();
  const { db } = getRuntime();
  const reseller = await newReseller({ funds: "120" });
  const name = "Northwind Internet and Managed Hosting Services of Upper Saxony and Thuringia Ltd.".slice(0, 80);
  await db.prisma.reseller.update({ where: { id: reseller.resellerId }, data: { name } });
  for (const price of [1450n, 2990n]) {
    const { product_id } = await reseller.newLicense({ product: { price } });
    const cost =
      "update billing_cycles set cost_currency = 'USD', cost_price = 900, cost_setup_fee = 0 where product_id = $1";
    await db.query(sql(cost), [product_id]);
    await reseller.dispatch.post("license.register", {
      product_id,
      cycle_id: (await db.prisma.billingCycle.findFirstOrThrow({ where: { productId: product_id } })).id,
      ip_address: reseller.newAddress(),
    });
  }
  const lift = "update wallets set low_balance_threshold = 900000 where reseller_id = $1";
  await db.query(sql(lift), [reseller.resellerId]);
  await login("admin");
  const own = `/resellers/${reseller.resellerId}`;
  for (const [path, picture] of [
    ["/overview", "desk-overview"],
    [`/resellers?low=true&q=${encodeURIComponent("Northwind Internet")}`, "desk-resellers"],
    [own, "desk-reseller"],
    [`${own}/licenses`, "desk-reseller-licenses"],
    [`${own}/wallet`, "desk-reseller-wallet"],
    [`${own}/team`, "desk-reseller-team"],
    [`${own}/prices`, "desk-reseller-prices"],
    [`${own}/api-keys`, "desk-reseller-keys"],
    [`${own}/activity`, "desk-reseller-activity"],
    ["/licenses", "desk-licenses"],
  ] as const) {
    await page.goto(path);
    await inspect(page, picture);
  }
});
