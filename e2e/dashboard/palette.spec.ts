import { setTimeout as sleep } from "node:timers/promises";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { findViolations } from "../support/axe.ts";
import { expect, shownBalance, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

const SLOW_MS = 500;

test("Ctrl K opens it; what is typed finds licenses, pages and actions; arrows choose, Enter goes", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense({ notes: "Invoice 2027-113" });
  await page.goto("/licenses");
  await expect(shownBalance(page)).toBeVisible();
  const box = page.getByRole("combobox", { name: "Search everything" });
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(box).toBeFocused({ timeout: 1_000 });
  }, "listens once the page has its script").toPass();
  const options = page.getByRole("listbox", { name: "Results" }).getByRole("option");
  const active = page.getByRole("listbox", { name: "Results" }).getByRole("option", { selected: true });
  await expect(active).toHaveText("Register a license");
  await page.keyboard.press("ArrowDown");
  await expect(active).toHaveText("Import licenses from CSV");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(active).toHaveText("Webhook log");
  await expect(box).toHaveAttribute("aria-activedescendant", (await active.getAttribute("id")) ?? "");
  await inspect(page, "palette");

  await box.fill("api");
  await expect(options).toHaveText([/Create an API key/, /API keys/, /Developers/, /Request log/]);
  await box.fill("invoice 2027");
  await expect(page.getByRole("status").filter({ hasText: "1 result" })).toBeVisible();
  await expect(active).toContainText(String(license.license_key));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/licenses/${license.license_id}$`));
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.getByRole("button", { name: "Search and commands" }).click();
  await expect(page.getByRole("group", { name: "Recent" }).getByRole("option")).toContainText([license.name]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Search and commands" })).toBeFocused();
});

test("what is found nowhere says so, and another reseller's licenses are not found", async ({
  page,
  login,
  reseller,
  newReseller,
}) => {
  const other = await (await newReseller()).newLicense({ notes: "secret order" });
  await login(reseller);
  await page.goto("/licenses");
  await page.getByRole("button", { name: "Search and commands" }).click();
  await page.getByRole("combobox").last().fill(String(other.license_key));
  await expect(page.getByText("Nothing found.")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
});

test("an admin goes to pages with it", async ({ page, login }) => {
  await login("admin");
  await page.goto("/resellers");
  await page.getByRole("button", { name: "Search and commands" }).click();
  await page.getByRole("option", { name: "Top-ups" }).click();
  await expect(page).toHaveURL(/\/top-ups$/);
});

test("what is found by its id opens its page, also when Enter comes before the answer", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense();
  const idIn = async (table: "events" | "operations") => {
    const text = `select id::text from ${table} where license_id = $1 limit 1`;
    const [row] = await getRuntime().db.query(sql<{ id: string }>(text), [license.license_id]);
    return row?.id ?? "";
  };
  const [eventId, operationId] = [await idIn("events"), await idIn("operations")];
  for (const [typed, url] of [
    [`lic_${license.license_id}`, new RegExp(`/licenses/${license.license_id}$`)],
    [String(license.license_key).slice(-6), new RegExp(`/licenses/${license.license_id}$`)],
    [`evt_${eventId}`, new RegExp(`/licenses/${license.license_id}$`)],
    [operationId, new RegExp(`/wallet\\?about=${operationId}$`)],
  ] as const) {
    await page.goto("/bundles");
    await page.getByRole("button", { name: "Search and commands" }).click();
    await page.getByRole("combobox").last().fill(typed);
    await page.keyboard.press("Enter");
    await expect(page, typed).toHaveURL(url);
  }
});

test("nothing moves while the search is answered, and the cursor stays on what it is on", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await reseller.newLicense({ notes: "webshop" });
  await page.goto("/bundles");
  await page.getByRole("button", { name: "Search and commands" }).click();
  const box = page.getByRole("combobox").last();
  const list = page.getByRole("listbox", { name: "Results" });
  const active = list.getByRole("option", { selected: true });
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/bundles", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await box.fill("web");
  await expect(active).toHaveText("Add a webhook endpoint");
  await page.keyboard.press("ArrowDown");
  const chosen = await active.innerText();
  // Once it has risen.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === "finished"));
  const [place, before] = [await active.boundingBox(), await list.boundingBox()];
  answer();
  await expect(list.getByRole("group", { name: "Licenses" }).getByRole("option")).toContainText(["Note: webshop"]);
  await expect(list.locator("mark").first()).toHaveText("web", { ignoreCase: true });
  expect(await active.innerText()).toBe(chosen);
  expect(await active.boundingBox()).toEqual(place);
  expect(await list.boundingBox()).toEqual(before);
  await inspect(page, "palette-found");
  await box.fill("nothing like this");
  await expect(page.getByText("Nothing found.")).toBeVisible();
  expect(await list.boundingBox()).toEqual(before);
});

test("an admin opens what only a reseller has from the palette by acting as the reseller", async ({
  page,
  login,
  reseller,
}) => {
  const license = await reseller.newLicense();
  const { bundle_id, cycle_id } = await reseller.newBundle([{}]);
  const order = { bundle_id, cycle_id, ip_address: reseller.newAddress() };
  const { body } = await reseller.dispatch.post("bundle.register", order);
  const bundleId = Number(body.data.bundle_instance_id);
  await login("admin");
  const find = async (text: string) => {
    await page.goto("/resellers");
    await page.getByRole("button", { name: "Search and commands" }).click();
    await page.getByRole("combobox").last().fill(text);
    await page.keyboard.press("Enter");
  };
  await find(`lic_${license.license_id}`);
  await expect(page).toHaveURL(new RegExp(`/licenses/${license.license_id}$`));
  await find(`bundle ${bundleId}`);
  const dialog = page.getByRole("dialog", { name: /^Act as/ });
  await inspect(page, "palette-act-as");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/resellers\/\d+$/);
  await page.getByRole("button", { name: "Search and commands" }).click();
  await page.getByRole("combobox").last().fill(`bundle ${bundleId}`);
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Act as this reseller" }).click();
  await expect(page).toHaveURL(new RegExp(`/bundles/${bundleId}$`));
});

test("what the palette begins on a page begins there, too, as often as it is asked", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/wallet?kind=charge");
  const dialog = page.getByRole("dialog", { name: "Request a top-up" });
  // Asked again before the server has answered anything about the end of the first.
  await page.route(/\/wallet\b/, async (route) => {
    await sleep(SLOW_MS);
    await route.fallback();
  });
  for (let times = 0; times < 2; times++) {
    await page.getByRole("button", { name: "Search and commands" }).click();
    await page.getByRole("combobox").last().fill("request a top-up");
    await page.keyboard.press("Enter");
    await expect(dialog.getByLabel("Amount in USD")).toHaveValue("100");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  }
  await expect(page).toHaveURL(/\/wallet$/);
});
