import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { fillTrend, newServer } from "../support/servers.ts";

test("diagnostics before there are any are accessible and fit", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/diagnostics");
  await inspect(page, "diagnostics-empty");
  const { license_id } = await reseller.newLicense();
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("region", { name: "Server" }).getByRole("link", { name: "Diagnostics" }).click();
  await expect(page.getByText("No report has come from this server yet.")).toBeVisible();
  await inspect(page, "diagnostics-install");
});

test("diagnostics in use are accessible and fit", async ({ page, login, reseller }) => {
  test.slow();
  const busy = await newServer(reseller);
  await fillTrend(reseller, busy, "shop.northwind.example");
  await busy.report({ hostname: "shop.northwind.example", diskFree: "3GB", uptime: "12 days", clockOffsetS: -74 });
  const others = [
    { hostname: "web1.northwind.example" },
    { hostname: "web2.northwind.example", sourceAddress: "198.51.100.77" },
    { hostname: "backup-storage-for-customers.northwind.example", silentHours: 50 },
    { hostname: "mail.northwind.example", clockOffsetS: 7_300, diskFree: "640MB" },
    { hostname: "db1.northwind.example", silentHours: 0.4 },
  ];
  for (const told of others) await (await newServer(reseller)).report(told);
  await login(reseller);
  await page.goto("/diagnostics");
  await inspect(page, "diagnostics");
  await page.goto("/diagnostics?problem=silent&q=nothing");
  await inspect(page, "diagnostics-nothing-found");
  await page.goto(`/diagnostics/${busy.address}`);
  await expect(page.getByText("The name is not public")).toBeVisible();
  await inspect(page, "diagnostics-server");
  await page.getByText("Show as a table").click();
  await page.getByRole("region", { name: "Trend" }).evaluate((card) => card.scrollIntoView());
  await inspect(page, "diagnostics-table");
  await page.goto(`/licenses/${busy.licenseId}`);
  await page.getByRole("region", { name: "Server" }).evaluate((card) => card.scrollIntoView());
  await inspect(page, "license-server");
});
