import { expect, test } from "../support/dashboard.ts";
import { newServer } from "../support/servers.ts";
import { setLicense } from "../support/world.ts";

test("servers are listed worst first, found by problem and by name, and lead to their page", async ({
  page,
  login,
  reseller,
}) => {
  const fine = await newServer(reseller);
  await fine.report({ hostname: "fine.northwind.example" });
  const silent = await newServer(reseller);
  await silent.report({ hostname: "silent.northwind.example", silentHours: 4 });
  const moved = await newServer(reseller);
  await moved.report({ hostname: "moved.northwind.example", sourceAddress: "198.51.100.77", diskFree: "2GB" });
  await login(reseller);
  await page.goto("/diagnostics");
  const rows = page.getByRole("table", { name: "Servers" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText("moved.northwind.example");
  await expect(rows.nth(1)).toContainText("Reports from 198.51.100.77and 1 more");
  await expect(rows.nth(2)).toContainText("No report for 4 hours");
  await expect(rows.nth(3)).toContainText("All checks pass");

  await page.getByRole("link", { name: "Silent", exact: true }).click();
  await expect(page).toHaveURL(/problem=silent$/);
  await expect(rows).toHaveCount(2);
  await page.getByRole("link", { name: "Silent", exact: true }).click();
  await expect(page).toHaveURL(/diagnostics$/);
  await page.getByRole("searchbox", { name: "Search servers" }).fill("MOVED");
  await expect(page).toHaveURL(/q=MOVED$/);
  await expect(rows).toHaveCount(2);
  await page.keyboard.press("Escape");
  await expect(rows).toHaveCount(4);
  await page.getByRole("heading", { name: "Diagnostics" }).click();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/diagnostics/${moved.address}`);

  await expect(page).toHaveTitle(`Server ${moved.address} · License Desk`);
  const checks = page.getByRole("region", { name: "Checks" }).getByRole("listitem");
  await expect(checks).toHaveCount(5);
  await expect(checks.first()).toContainText("Critical: Reports from 198.51.100.77");
  await expect(checks.first()).toContainText("change the license's address");
  await expect(checks.nth(1)).toContainText("Only 2 GB of disk free");
  await expect(page.getByRole("region", { name: "Checks" })).toContainText("is not looked up");
  await expect(page.getByRole("region", { name: "Server", exact: true })).toContainText("6.1.0-28-amd64");
  await page.getByText("Show as a table").click();
  await expect(page.getByRole("table", { name: "Trend by day" }).getByRole("row")).toHaveCount(2);
  await page.getByRole("region", { name: "Licenses on this server" }).getByRole("link").first().click();
  await expect(page).toHaveURL(`/licenses/${moved.licenseId}`);
  const itsServer = page.getByRole("region", { name: "Server" });
  await expect(itsServer).toContainText("Only 2 GB of disk free");
  const again = itsServer.getByRole("button", { name: "Create key and copy command" });
  await expect(again).toBeHidden();
  await itsServer.getByText("Install the agent again").click();
  await expect(again).toBeVisible();
  await itsServer.getByRole("link", { name: "Diagnostics" }).click();
  await expect(page).toHaveURL(`/diagnostics/${moved.address}`);
});

test("before any report, the page leads to a license, whose page and server's page make the line to install", async ({
  page,
  login,
  reseller,
}) => {
  const license = await reseller.newLicense();
  await login(reseller);
  await page.goto("/diagnostics");
  await expect(page.getByText("No server reports yet")).toBeVisible();
  await page.getByRole("link", { name: "Choose a license" }).click();
  await expect(page).toHaveURL(/\/licenses$/);
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("region", { name: "Server" }).getByRole("link", { name: "Diagnostics" }).click();
  await expect(page).toHaveURL(/\/diagnostics\/[\d.]+$/);
  await expect(page.getByText("No report has come from this server yet.")).toBeVisible();
  await page.getByRole("button", { name: "Create key and copy command" }).click();
  await expect(page.getByRole("main")).toContainText(`install.sh | sh -s -- ${license.license_key} lk_live_`);
});

test("a server that needs somebody is on the overview, until its license has ended", async ({
  page,
  login,
  reseller,
}) => {
  const server = await newServer(reseller);
  await server.report({ clockOffsetS: 4_000 });
  await login(reseller);
  await page.goto("/overview");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toContainText("web1.northwind.example: the clock is 1 hour fast");
  await attention.getByRole("link", { name: "View server" }).click();
  await expect(page.getByText("The clock is 1 hour fast")).toBeVisible();
  await setLicense(server.licenseId as never, "terminated");
  await page.goto("/overview");
  await expect(attention).toContainText("Nothing.");
});

test("another reseller's server looks exactly like one that does not exist (contract 1.12)", async ({
  page,
  login,
  reseller,
  newReseller,
  expectNothingAt,
}) => {
  const server = await newServer(await newReseller());
  await server.report();
  await login(reseller);
  const texts: string[] = [];
  for (const address of [server.address, "203.0.113.99", "nothing"]) {
    await expectNothingAt(`/diagnostics/${address}`);
    texts.push(await page.getByRole("main").innerText());
  }
  expect(new Set(texts).size).toBe(1);
});

test("a server that moved is named on the overview, and its license moved in two interactions", async ({
  page,
  login,
  reseller,
}) => {
  const server = await newServer(reseller);
  const seen = reseller.newAddress();
  await server.report({ hostname: "web2.northwind.example", sourceAddress: seen });
  const full = await newServer(reseller);
  await full.report({ hostname: "shop.northwind.example", diskFree: "3GB" });
  await login(reseller);
  await page.goto("/overview");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toContainText("shop.northwind.example has 3 GB disk left");
  await expect(attention).toContainText(`web2.northwind.example reports from ${seen}`);
  await attention.getByRole("link", { name: "Move licenses" }).click();
  await page.getByRole("button", { name: `Move 1 to ${seen}` }).click();
  await expect(page).toHaveURL(/\/jobs\/\d+$/);
  await expect(page.getByText("Finished: 1 done")).toBeVisible();
  await page.goto(`/licenses/${server.licenseId}`);
  await expect(page.getByRole("main")).toContainText(seen);
});
