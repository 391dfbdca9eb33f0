import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { copyLicense, newRunningJob } from "../support/bulk.ts";
import { expect, focusFirstRow, onDesktop, shownBalance, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { setLicense, suspendReseller, systemContext } from "../support/world.ts";

const bar = (page: Page) => page.getByRole("region", { name: "Selected licenses" });
/** The worker does it meanwhile. */

test("licenses are renewed together for what was told before, and what was left out is said with its reason", async ({
  page,
  login,
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "100" });
  await login(reseller);
  const product = { price: 1450n };
  await reseller.newLicense({ product });
  const shop = await reseller.newLicense({ product });
  const ended = await reseller.newLicense({ product });
  await setLicense(ended.license_id, "terminated");
  await page.goto("/licenses");
  await page.getByRole("checkbox", { name: "Select all of this page" }).check();
  await expect(bar(page).getByRole("status")).toHaveText("3 selected");
  await bar(page).getByRole("button", { name: "Renew" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toHaveAccessibleName("Renew 2 of 3 licenses?");
  await expect(dialog.getByText("Skipped: terminated")).toBeVisible();
  await expect(dialog.getByText("$27.50")).toBeVisible();
  await dialog.getByRole("button", { name: "Renew 2 for $29.00" }).click();

  await expect(page.getByRole("heading", { name: "Renewal of 3 licenses" })).toBeVisible();
  await expect(page.getByText("Finished: 2 done, 1 skipped")).toBeVisible();
  await expect(shownBalance(page)).toContainText("$27.50");
  const results = page.getByRole("table", { name: "Results" });
  await page.getByRole("link", { name: /^Skipped 1/ }).click();
  await expect(page).toHaveURL(/show=skipped$/);
  await expect(results.getByRole("row")).toHaveCount(2);
  await expect(results).toContainText("Terminated");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Results as CSV" }).click(),
  ]);
  const csv = await readFile(await download.path(), "utf8");
  expect(csv.trim().split("\r\n")).toHaveLength(4);
  expect(csv).toContain(`lic_${shop.license_id}`);

  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Jobs" }).click();
  await page.getByRole("link", { name: "Renewal of 3 licenses" }).click();
  await expect(page.getByText("Finished: 2 done, 1 skipped")).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Licenses" }).click();
  await expect(page.getByRole("heading", { name: "Licenses", exact: true })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
});

test("a selection is made by keys and ranges, stays on other pages, and grows to all that match", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const { license_id } = await reseller.newLicense();
  await copyLicense(license_id, 59);
  await page.goto("/licenses");
  const selected = bar(page).getByRole("status");
  const boxes = page.getByRole("table").getByRole("checkbox", { name: /^Select lic_/ });
  await focusFirstRow(page);
  await page.keyboard.press("x");
  await expect(selected).toHaveText("1 selected");
  await expect(page.getByRole("main").locator(":is(a, button).bg-accent:visible"), "main buttons").toHaveCount(1);
  await boxes.nth(3).click({ modifiers: ["Shift"] });
  await expect(selected).toHaveText("4 selected");
  await boxes.nth(1).click();
  await expect(selected).toHaveText("3 selected");
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Next" }).click();
  await expect(boxes).toHaveCount(10);
  await expect(selected).toHaveText("3 selected");
  await page.getByRole("checkbox", { name: "Select all of this page" }).check();
  await expect(selected).toHaveText("13 selected");
  await bar(page).getByRole("button", { name: "Select all 60 that match" }).click();
  await expect(selected).toHaveText("All 60 selected");
  await bar(page).getByRole("button", { name: "More changes" }).click();
  await page.getByRole("menuitem", { name: "Set notes" }).click();
  await page.getByRole("dialog").getByLabel("Notes").fill("Rack 7");
  await page.getByRole("dialog").getByRole("button", { name: "Set the notes of 60" }).click();
  await expect(page.getByText("Finished: 60 done")).toBeVisible();
  await page.goto("/licenses?q=rack+7");
  await expect(page.getByText("60 licenses")).toBeVisible();
});

test(
  "what the balance does not cover is said before, fails alone, and is retried without charging twice",
  onDesktop,
  async ({ page, login, newReseller }) => {
    const reseller = await newReseller({ funds: "29" });
    await login(reseller);
    await reseller.newLicense({ product: { price: 1450n } });
    await reseller.newLicense({ product: { price: 1450n } });
    await page.goto("/licenses");
    await page.getByRole("checkbox", { name: "Select all of this page" }).check();
    await bar(page).getByRole("button", { name: "Renew" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("The balance does not pay for any of them.")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Renew 2" })).toBeDisabled();
    await expect(dialog.getByRole("link", { name: "Top up" })).toHaveAttribute("href", "/wallet?top-up=29.00");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "16", note: "" });
    await bar(page).getByRole("button", { name: "Renew" }).click();
    await expect(dialog.getByText("Needs $13.00 more")).toBeVisible();
    await expect(dialog).toHaveAccessibleName("Renew 2 licenses?");
    await expect(dialog).toContainText("The balance pays for 1 of 2. The rest are charged if money arrives first");
    await expect(dialog).toContainText("Covers 1 of 2$14.50");
    await dialog.getByRole("button", { name: "Renew 2 for up to $29.00" }).click();
    await expect(page.getByText("Finished: 1 done, 1 failed")).toBeVisible();
    const results = page.getByRole("table", { name: "Results" });
    await expect(results).toContainText("Not enough balance: $14.50 is needed and $1.50 was available.");
    await expect(results).not.toContainText("Top up");
    await expect(page.getByRole("link", { name: "Top up" })).toHaveAttribute("href", "/wallet?top-up=13.00");
    await page.getByRole("button", { name: "Retry 1 failed" }).click();
    await expect(dialog.getByRole("button", { name: "Retry 1" })).toBeDisabled();
    await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "20", note: "" });
    await page.reload();
    await expect(page.getByRole("link", { name: "Top up" })).toHaveCount(0);
    await page.getByRole("button", { name: "Retry 1 failed" }).click();
    await expect(dialog).toContainText("Available balance after$7.00");
    await dialog.getByRole("button", { name: "Retry for up to $14.50" }).click();
    await expect(page.getByText("Finished: 2 done")).toBeVisible();
    await expect(shownBalance(page)).toContainText("$7.00");
  },
);

test("a job that runs shows how far it is, what has not begun can be canceled, and an admin reads who did", async ({
  page,
  login,
  reseller,
}) => {
  const user = await login(reseller);
  const ids = [];
  for (let made = 0; made < 3; made++) ids.push((await reseller.newLicense()).license_id);
  const jobId = await newRunningJob(reseller, user, { done: ids.slice(0, 1), waiting: ids.slice(1) });
  await page.goto(`/jobs/${jobId}?after=99`);
  await expect(page.getByText("There is nothing on this page")).toBeVisible();
  await page.getByRole("link", { name: "Show the first page" }).click();
  await expect(page.getByRole("table", { name: "Results" })).toBeVisible();
  await expect(page.getByText("1 of 3 done", { exact: true })).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "1");
  await page.getByRole("button", { name: "Cancel the rest" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the rest" }).click();
  await expect(page.getByText("Canceling")).toBeVisible();
  await expect(page.getByRole("table", { name: "Results" }).getByText("Canceled before it began.")).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Cancel the rest" })).toHaveCount(0);
  await login("admin");
  await page.goto(`/audit?reseller=${reseller.resellerId}`);
  const entry = page
    .getByRole("table", { name: "Audit log" })
    .getByRole("row")
    .filter({ hasText: `Job ${jobId}` });
  await expect(entry).toContainText("Robin Example");
  await expect(entry).toContainText("Remaining items of a job canceled");
  await entry.locator("summary").click();
  await expect(page.locator("[data-detail]:visible")).toContainText("items2");
});

test(
  "a reseller sees an administrator's job without their name, and cannot cancel it",
  onDesktop,
  async ({ page, login, reseller }) => {
    const admin = await login("admin");
    const { license_id } = await reseller.newLicense();
    const jobId = await newRunningJob(reseller, admin, { done: [], waiting: [license_id] }, "admin");
    const cancel = page.getByRole("button", { name: "Cancel the rest" });
    await page.goto(`/jobs/${jobId}`);
    await expect(cancel).toBeVisible();
    await login(reseller);
    await page.goto(`/jobs/${jobId}`);
    await expect(page.getByRole("main")).toContainText("Started byAdministrator");
    await expect(cancel).toHaveCount(0);
  },
);

test(
  "another reseller's job is not found",
  onDesktop,
  async ({ page, login, reseller, newReseller, expectNothingAt }) => {
    const user = await login(reseller);
    const jobId = await newRunningJob(reseller, user, {
      done: [],
      waiting: [(await reseller.newLicense()).license_id],
    });
    await login(await newReseller());
    await expectNothingAt(`/jobs/${jobId}`);
    expect((await page.request.get(`/jobs/${jobId}/progress`)).status()).toBe(404);
    expect((await page.request.get(`/jobs/${jobId}/results`)).status()).toBe(404);
  },
);

test("a suspension, its end, and automatic renewal are taken back from where they were told", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const { license_id } = await reseller.newLicense();
  await page.goto(`/licenses/${license_id}`);
  const told = page.getByRole("region", { name: "Notifications" });
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Suspend", exact: true }).click();
  await expect(page.getByText("Suspended by you")).toBeVisible();
  await told.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Suspended by you")).toHaveCount(0);
  await expect(told.getByText("Suspension lifted")).toBeVisible();
  const renews = page.getByRole("switch", { name: /Renew before it expires/ });
  await renews.check();
  await expect(told.getByText("Auto-renew is on")).toBeVisible();
  await told.getByRole("button", { name: "Undo" }).click();
  await expect(renews).not.toBeChecked();
  await expect(told.getByText("Auto-renew is off, as before")).toBeVisible();
});

test("a job that waits for the provider says so, and until when", onDesktop, async ({ page, login, reseller }) => {
  const { license_id } = await reseller.newLicense({ product: { price: 1450n } });
  const jobId = await newRunningJob(reseller, await login(reseller), { done: [], waiting: [license_id] });
  const data = { waitsUntil: new Date(Date.now() + 40_000) };
  await getRuntime().db.prisma.bulkJob.updateMany({ where: { id: jobId }, data });
  await page.goto(`/jobs/${jobId}`);
  await expect(page.getByText("Waiting for the provider")).toBeVisible();
  await expect(page.getByText(/It accepts no more requests until/)).toContainText(/\d:\d\d/);
  await inspect(page, "bulk-waiting");
});

test(
  "a change of a suspended account is paused, and says so to an admin who acts for it",
  onDesktop,
  async ({ page, login, reseller }) => {
    const { license_id } = await reseller.newLicense({ product: { price: 1450n } });
    const admin = await login("admin");
    const jobId = await newRunningJob(reseller, admin, { done: [], waiting: [license_id] });
    await suspendReseller(reseller);
    await page.goto(`/resellers/${reseller.resellerId}/wallet`);
    await page.getByRole("button", { name: "Act as" }).click();
    await page.getByRole("button", { name: "Act as this reseller" }).click();
    await expect(page).toHaveURL(/\/overview$/);
    await page.goto(`/jobs/${jobId}`);
    await expect(page.getByText("Paused", { exact: true })).toBeVisible();
    await expect(page.getByText("Paused: the account is suspended")).toBeVisible();
    await inspect(page, "bulk-paused");
    await page.goto("/jobs");
    await expect(page.getByRole("row").filter({ hasText: "Renewal of 1 license" })).toContainText("Paused");
    await page.goto(`/licenses/${license_id}`);
    await page.getByRole("button", { name: "Renew" }).click();
    await page.getByRole("button", { name: "Renew for $14.50" }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText(
      "This account is suspended. Ask an admin to lift the suspension.Nothing was charged.",
    );
  },
);

test(
  "a selected row is renewed by keys alone: Tab to its actions, Enter, and Enter to confirm",
  onDesktop,
  async ({ page, login, newReseller }) => {
    const reseller = await newReseller({ funds: "100" });
    await login(reseller);
    for (let count = 0; count < 3; count++) await reseller.newLicense({ product: { price: 1450n } });
    await page.goto("/licenses");
    await focusFirstRow(page);
    await page.keyboard.press("x");
    await expect(bar(page).getByRole("status")).toHaveText("1 selected");
    const row = page.locator(":focus");
    await page.keyboard.press("Tab");
    await expect(bar(page).getByRole("button", { name: "Renew" })).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await expect(row).toHaveAttribute("href", /\/licenses\/\d+$/);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toContainText(/ \(lic_\d+\)\. It is renewed at today's price\./);
    await expect(page.getByRole("dialog").getByRole("button", { name: "Renew 1 for $14.50" })).toBeEnabled();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Renewal of 1 license" })).toBeVisible();
  },
);

test("many licenses are terminated once their number has been typed", async ({ page, login, reseller }) => {
  await login(reseller);
  for (let count = 0; count < 2; count++) await reseller.newLicense();
  await page.goto("/licenses");
  await page.getByRole("checkbox", { name: "Select all of this page" }).check();
  await bar(page).getByRole("button", { name: "More changes" }).click();
  await page.getByRole("menuitem", { name: "Terminate" }).click();
  const dialog = page.getByRole("dialog", { name: "Terminate 2 licenses for good?" });
  await expect(dialog).toContainText("Nothing is refunded.");
  const field = dialog.getByLabel("Type 2 to confirm");
  await field.fill("3");
  await page.keyboard.press("Enter");
  await expect(dialog.getByText("Type 2 to confirm.")).toBeVisible();
  await inspect(page, "bulk-terminate");
  await field.fill("2");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Finished: 2 done")).toBeVisible();
});

test("selected licenses get a new IP each from a pasted list, and the list says which gets which", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const product = { price: 1450n };
  const before = [reseller.newAddress(), reseller.newAddress()];
  for (const ip of before) await reseller.newLicense({ ip, product });
  const [first, second] = [reseller.newAddress(), reseller.newAddress()];
  await page.goto("/licenses");
  await page.getByRole("checkbox", { name: "Select all of this page" }).check();
  await bar(page).getByRole("button", { name: "More changes" }).click();
  await page.getByRole("menuitem", { name: "Change IP" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the IP of 2 licenses?" });
  const field = dialog.getByLabel("New addresses");
  await field.fill(`${first}\n${second}\n203.0.113.9`);
  await dialog.getByRole("button", { name: "Change IP of 2" }).click();
  await expect(field).toHaveAccessibleDescription(/Enter 2 addresses, one for each, or a single one for all/);
  await field.fill(`${first}\n${second}`);
  const moves = dialog.getByRole("listitem");
  await expect(moves).toHaveText([new RegExp(`→ to\\s+${first}`), new RegExp(`→ to\\s+${second}`)]);
  await inspect(page, "bulk-change-ip");
  await dialog.getByRole("button", { name: "Change IP of 2" }).click();
  await expect(page.getByRole("heading", { name: "IP change of 2 licenses" })).toBeVisible();
  await expect(page.getByText("Finished: 2 done")).toBeVisible();
  const results = page.getByRole("table", { name: "Results" });
  await expect(results).toContainText(first);
  await expect(results).toContainText(second);
});

test("selected licenses renew by another billing cycle, whose total is shown before", async ({
  page,
  login,
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "1000" });
  await login(reseller);
  const { product_id, cycle_id } = await reseller.newProduct({ price: 1450n });
  await reseller.newCycle(product_id, { months: 12, price: 14500n });
  for (let count = 0; count < 2; count++) {
    const ip_address = reseller.newAddress();
    expect((await reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address })).status).toBe(200);
  }
  await page.goto("/licenses");
  await page.getByRole("checkbox", { name: "Select all of this page" }).check();
  await bar(page).getByRole("button", { name: "Renew" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Renew 2 for $29.00" })).toBeEnabled();
  const monthly = await newExpiry(dialog).textContent();
  await dialog.getByLabel("Billing cycle").selectOption("12 months");
  await expect(dialog.getByText("This becomes their billing cycle")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Renew 2 for $290.00" })).toBeEnabled();
  const yearly = await newExpiry(dialog).textContent();
  expect(Date.parse(String(yearly)) - Date.parse(String(monthly))).toBeGreaterThan(300 * 24 * 60 * 60 * 1000);
  await inspect(page, "bulk-renew-cycle");
  await dialog.getByRole("button", { name: "Renew 2 for $290.00" }).click();
  await expect(page.getByText("Billing cycle: 12 months")).toBeVisible();
  await expect(page.getByText("Finished: 2 done")).toBeVisible();
  await expect(shownBalance(page)).toContainText("$681.00");
});

test(
  "selected licenses renew by their own billing cycles where there are others, too",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { product_id } = await reseller.newLicense({ product: { price: 1450n } });
    await reseller.newCycle(product_id, { months: 12, price: 14500n });
    await page.goto("/licenses");
    await page.getByRole("checkbox", { name: "Select all of this page" }).check();
    await bar(page).getByRole("button", { name: "Renew" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel("Billing cycle")).toHaveValue("");
    await dialog.getByRole("button", { name: "Renew 1 for $14.50" }).click();
    await expect(page.getByText("Finished: 1 done")).toBeVisible();
  },
);

function newExpiry(dialog: Locator): Locator {
  return dialog.getByText("New expiry", { exact: true }).locator("xpath=following-sibling::dd");
}

test(
  "what is selected in the lists of two resellers stays known by its reseller",
  onDesktop,
  async ({ page, login, newReseller }) => {
    const [one, other] = [await newReseller(), await newReseller()];
    const ids = [(await one.newLicense()).license_id, (await other.newLicense()).license_id];
    await getRuntime().db.prisma.license.updateMany({ where: { id: { in: ids } }, data: { tags: [`two-${ids[0]}`] } });
    await login("admin");
    await page.goto(`/licenses?tag=two-${ids[0]}`);
    await page.getByRole("checkbox", { name: `Select lic_${ids[0]}`, exact: true }).check();
    await page.locator(`a[href="/resellers/${other.resellerId}"]`).click();
    await page.locator(`a[href="/resellers/${other.resellerId}/licenses"]`).first().click();
    await page.getByRole("checkbox", { name: `Select lic_${ids[1]}`, exact: true }).check();
    await expect(bar(page)).toContainText("These belong to 2 resellers.");
  },
);

test("an admin suspends licenses of one reseller together, is told whose they are, and sees the job", async ({
  page,
  login,
  newReseller,
}) => {
  const [one, other] = [await newReseller(), await newReseller()];
  const ids = [];
  for (const reseller of [one, one, other]) ids.push((await reseller.newLicense()).license_id);
  const tag = `several-${ids[0]}`;
  await getRuntime().db.prisma.license.updateMany({ where: { id: { in: ids } }, data: { tags: [tag] } });
  await login("admin");
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
  // Lower, the bar would lie over a row.
  await page.setViewportSize({ width, height: 1200 });
  await page.goto(`/licenses?tag=${tag}`);
  for (const id of ids) await page.getByRole("checkbox", { name: `Select lic_${id}`, exact: true }).check();
  await expect(bar(page)).toContainText("These belong to 2 resellers. A job can change licenses of only one.");
  await expect(bar(page).getByRole("button", { name: "More changes" })).toHaveCount(0);
  await inspect(page, "bulk-several-resellers");
  await page.setViewportSize({ width, height });
  await bar(page).getByRole("button", { name: "Choose a reseller" }).click();
  await page.getByRole("menuitem").first().press("Enter");
  await expect(bar(page).getByRole("status")).toHaveText("2 selected");
  await expect(bar(page).locator("[data-selection-actions] button").first()).toBeFocused();
  await expect(page.getByRole("checkbox", { name: `Select lic_${ids[2]}`, exact: true })).not.toBeChecked();
  await bar(page).getByRole("button", { name: "More changes" }).click();
  await page.getByRole("menuitem", { name: "Suspend" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("and is logged under your name");
  await expect(dialog).toContainText("Only administrators can lift the suspension.");
  await inspect(page, "bulk-as-admin");
  await dialog.getByRole("button", { name: "Suspend 2" }).click();
  await expect(page.getByRole("heading", { name: "Suspension of 2 licenses" })).toBeVisible();
  await expect(page.getByText("Finished: 2 done")).toBeVisible();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Jobs" }).click();
  await expect(page.getByRole("table", { name: "Jobs" })).toContainText("Suspension of 2 licenses");
  await inspect(page, "bulk-jobs-admin");
});

test(
  "Back from a job shows the list as the job has left it, also after a retry",
  onDesktop,
  async ({ page, login, newReseller }) => {
    const reseller = await newReseller({ funds: "30" });
    await login(reseller);
    for (let made = 0; made < 2; made++) await reseller.newLicense({ product: { price: 1000n } });
    const list = page.getByRole("table", { name: "Licenses" });
    await page.goto("/licenses");
    const before = await list.textContent();
    await page.getByRole("checkbox", { name: "Select all of this page" }).check();
    await bar(page).getByRole("button", { name: "Renew" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Renew 2 for up to $20.00" }).click();
    await expect(page.getByText("Finished: 1 done, 1 failed")).toBeVisible();
    await page.goBack();
    await expect(list).toBeVisible();
    const between = await list.textContent();
    expect(between).not.toBe(before);
    await page.goForward();
    await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "10", note: "" });
    await page.reload();
    await page.getByRole("button", { name: "Retry 1 failed" }).click();
    await dialog.getByRole("button", { name: "Retry for up to $10.00" }).click();
    await expect(page.getByText("Finished: 2 done")).toBeVisible();
    await page.goBack();
    await expect(list).toBeVisible();
    expect(await list.textContent()).not.toBe(between);
  },
);

test(
  "a list that is open when a job ends, whose page was left before, is read again",
  onDesktop,
  async ({ page, login, reseller }) => {
    const user = await login(reseller);
    const { license_id } = await reseller.newLicense();
    const jobId = await newRunningJob(reseller, user, { done: [], waiting: [license_id] });
    await page.goto(`/jobs/${jobId}`);
    await expect(page.getByText("0 of 1 done")).toBeVisible();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Licenses" }).click();
    const row = page.getByRole("row").filter({ hasText: `lic_${license_id}` });
    await expect(row).toBeVisible();
    const { prisma } = getRuntime().db;
    await prisma.license.updateMany({ where: { id: license_id }, data: { hostname: "renewed.example.com" } });
    await prisma.bulkJobItem.updateMany({ where: { jobId }, data: { state: "succeeded" } });
    await prisma.bulkJob.updateMany({ where: { id: jobId }, data: { state: "finished", finishedAt: new Date() } });
    await expect(row).toContainText("renewed.example.com");
  },
);

test(
  "a dialog that was asked for and had not come does not open by itself for another selection",
  onDesktop,
  async ({ page, login, newReseller }) => {
    const reseller = await newReseller({ funds: "100" });
    await login(reseller);
    await reseller.newLicense({ product: { price: 1450n } });
    await page.goto("/licenses", { waitUntil: "networkidle" });
    const all = page.getByRole("checkbox", { name: "Select all of this page" });
    await all.check();
    const code = "**/_next/static/**/*.js";
    const gate = Promise.withResolvers<void>();
    await page.route(code, async (route) => {
      await gate.promise;
      await route.continue();
    });
    const [request] = await Promise.all([
      page.waitForRequest(code),
      bar(page).getByRole("button", { name: "Renew" }).click(),
    ]);
    await bar(page).getByRole("button", { name: "Clear the selection" }).click();
    gate.resolve();
    await (await request.response())?.finished();
    await page.waitForLoadState("networkidle");
    await all.check();
    await expect(bar(page).getByRole("status")).toHaveText("1 selected");
    await bar(page).getByRole("button", { name: "More changes" }).click();
    await page.getByRole("menuitem", { name: "Suspend" }).click();
    await expect(page.getByRole("dialog")).toHaveAccessibleName("Suspend 1 license?");
  },
);
