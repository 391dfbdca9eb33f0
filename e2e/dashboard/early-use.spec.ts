import type { Locator, Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { expect, newUser, shownBalance, test, untilHydrated } from "../support/dashboard.ts";

/** Leaves for another page, and is done before that has come: nothing waits for its scripts. */
const leaveFor = (page: Page, path: string) => page.evaluate((href) => window.location.assign(href), path);

/** Leaves for a page whose scripts come only when the returned function is called. */
async function withoutScripts(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  await leaveFor(page, path);
  await page.waitForURL((url) => url.pathname + url.search === path, { waitUntil: "commit" });
  return resolve;
}

/** Leaves the caret before the last part of the address: what is typed next completes "198.18.7.1". */
async function typeAddressButOnePart(field: Locator): Promise<void> {
  await field.pressSequentially("198.18.1");
  for (let i = 0; i < 2; i++) await field.press("ArrowLeft");
}

test("what is pressed last before the page's scripts have loaded is done once they have", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/wallet");
  const loadSettings = await withoutScripts(page, "/settings");
  await page.getByRole("button", { name: "Save profile" }).click();
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  loadSettings();
  await expect(page.getByRole("img", { name: "QR code of the key" })).toBeVisible();
  await expect(page.getByText("Profile saved")).toBeHidden();

  await page.goto("/wallet");
  const loadLicenses = await withoutScripts(page, "/licenses");
  await page.getByRole("button", { name: "account of Robin Example" }).click();
  loadLicenses();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
});

test("what is chosen before the page's scripts have loaded is what is registered, at the price that the button then says", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const [first, second] = [await reseller.newProduct({ price: 1000n }), await reseller.newProduct({ price: 5000n })];
  await page.goto("/wallet");
  const load = await withoutScripts(page, "/licenses/new");
  const address = reseller.newAddress();
  await page.getByRole("radio", { name: first.name }).check();
  await page.getByRole("radio", { name: second.name }).check();
  await page.getByLabel("Address").fill(address);
  await page.getByRole("button", { name: /^Register/ }).click();
  load();
  await page.getByRole("button", { name: "Register for $50.00" }).click();
  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  await expect(page.getByRole("heading", { name: second.name })).toBeVisible();
  await expect(page.getByText(address).first()).toBeVisible();
  await expect(shownBalance(page)).toContainText("$950.00");

  const auto = page.getByRole("switch", { name: "Renew before it expires" });
  const here = new URL(page.url()).pathname;
  await page.goto("/wallet");
  const loadLicense = await withoutScripts(page, here);
  await auto.check();
  loadLicense();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Auto-renew is on");
  await page.reload();
  await expect(auto).toBeChecked();

  const loadList = await withoutScripts(page, "/licenses");
  await page.getByRole("combobox", { name: "Product" }).selectOption(second.name);
  loadList();
  await expect(page).toHaveURL(/product=/);
});

test("each of several choices made before the page's scripts have loaded counts", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/wallet");
  const load = await withoutScripts(page, "/api-keys/new");
  await page.getByLabel("Name").fill("Nightly report");
  await page.getByRole("radio", { name: /Read only/ }).check();
  await page.getByRole("combobox", { name: "Expires" }).selectOption("After 30 days");
  await page.getByRole("radio", { name: /Required/ }).check();
  await page.getByRole("button", { name: "Create key" }).click();
  load();
  await expect(page.getByRole("heading", { name: "Key created" })).toBeVisible();
  const key = await getRuntime().db.prisma.apiKey.findFirstOrThrow({
    where: { resellerId: reseller.resellerId, name: "Nightly report" },
  });
  expect(key).toMatchObject({ requiresSignature: true, expiresAt: expect.any(Date) });
  expect(key.scopes).toContain("wallet:read");
});

test("a form whose choices no longer exist once the page's scripts have loaded is not submitted", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const [shown, chosen] = [await reseller.newBundle([{}]), await reseller.newBundle([{}])];
  for (const { bundle_id } of [shown, chosen]) await reseller.newBundleCycle(bundle_id, { months: 12, price: 8000n });
  await page.goto("/wallet");
  const load = await withoutScripts(page, `/bundles/new?bundle=${shown.bundle_id}`);
  const bundle = page.getByRole("radio", { name: chosen.name });
  const year = page.getByRole("radio", { name: "12 months" });
  await bundle.check();
  await year.check();
  await page.getByLabel("Address").fill(reseller.newAddress());
  await page.getByRole("button", { name: "Register for $10.00" }).click();
  load();
  await expect(year).not.toBeChecked();
  await expect(bundle).toBeChecked();
  await year.check();
  await page.getByRole("button", { name: "Register for $80.00" }).click();
  await expect(page.getByRole("heading", { name: chosen.name })).toBeVisible();
  await expect(shownBalance(page)).toContainText("$920.00");
});

test("a product chosen before somebody left the page is not shown as chosen when they come back: the form begins anew", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const { name } = await reseller.newProduct({ price: 5000n });
  await page.goto("/licenses/new");
  await page.getByRole("radio", { name }).check();
  await expect(page.getByRole("button", { name: "Register for $50.00" })).toBeVisible();
  await leaveFor(page, "/wallet");
  await page.waitForURL("**/wallet");
  await page.goBack();
  await expect(page.getByRole("button", { name: "Register", exact: true })).toBeVisible();
  await expect(page.getByRole("radio", { name })).not.toBeChecked();
});

test("a filter chosen before somebody left a list is not shown as chosen when they come back, unless the list is filtered", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const { name } = await reseller.newProduct();
  await reseller.newLicense();
  await page.goto("/wallet");
  await withoutScripts(page, "/licenses");
  const product = page.getByRole("combobox", { name: "Product" });
  await product.selectOption(name);
  await leaveFor(page, "/wallet");
  await page.waitForURL("**/wallet", { waitUntil: "commit" });
  // Before that, it would let the scripts of the list load.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.goBack();
  await expect(product).toHaveValue("");
  await expect(page).toHaveURL(/\/licenses$/);
});

test("a sign-in submitted before the page's scripts have loaded signs in once they have", async ({
  page,
  reseller,
}) => {
  const user = await newUser(reseller.resellerId);
  await page.goto("/forgot-password");
  const load = await withoutScripts(page, "/sign-in");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  load();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
});

test("the caret stays where it is while the page's scripts take over", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/wallet");
  const load = await withoutScripts(page, "/licenses/new");
  const address = page.getByRole("textbox", { name: "Address" });
  await typeAddressButOnePart(address);
  load();
  await untilHydrated(page);
  await address.pressSequentially(".7");
  await expect(address).toHaveValue("198.18.7.1");
});

test("what is typed while the page takes over what was typed before goes where the caret is", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/wallet");
  // A busy browser: whatever is put off has not been done yet when the next key is pressed.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    window.setTimeout = ((run: () => void, delay = 0) => setTimeout(run, delay + 2_000)) as typeof setTimeout;
    const note = (event: Event) => event.isTrusted || Object.assign(window, { isReplayed: true });
    window.addEventListener("input", note, true);
  });
  const load = await withoutScripts(page, "/licenses/new");
  const address = page.getByRole("textbox", { name: "Address" });
  await typeAddressButOnePart(address);
  load();
  await page.waitForFunction(() => "isReplayed" in window);
  await address.pressSequentially(".7");
  await expect(address).toHaveValue("198.18.7.1");
});

test("the caret of a search stays where it is although a filter was chosen before it", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const { name } = await reseller.newProduct();
  await reseller.newLicense();
  await page.goto("/wallet");
  const load = await withoutScripts(page, "/licenses");
  await page.getByRole("combobox", { name: "Product" }).selectOption(name);
  const search = page.getByRole("searchbox", { name: "Search licenses" });
  await typeAddressButOnePart(search);
  load();
  await untilHydrated(page);
  await expect(page).toHaveURL(/product=.*q=198\.18\.1/);
  await search.pressSequentially(".7");
  await expect(search).toHaveValue("198.18.7.1");
});

test("a switch that is back where it was when the page's scripts have loaded sends nothing", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense();
  await page.goto("/wallet");
  const load = await withoutScripts(page, `/licenses/${license.license_id}`);
  const auto = page.getByRole("switch", { name: "Renew before it expires" });
  await auto.check();
  await auto.uncheck();
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  load();
  await untilHydrated(page);
  // What was sent earlier has arrived before this.
  await auto.check();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Auto-renew is on");
  expect(sent.filter((url) => url.includes("/licenses/"))).toHaveLength(1);
});

test("a press that reaches the page while its scripts take over is carried out once, with what was chosen before", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/wallet");
  // React's own turns wait in messages: with none of them delivered, only a press makes it take the page over.
  await page.addInitScript(() => {
    const turns: (() => void)[] = [];
    const port1 = { onmessage: () => {} };
    const port2 = { postMessage: () => turns.push(() => port1.onmessage()) };
    Object.assign(window, {
      MessageChannel: function MessageChannel() {
        return { port1, port2 };
      },
      deliverTurns() {
        port2.postMessage = () => window.setTimeout(() => port1.onmessage());
        for (const turn of turns) turn();
      },
    });
  });
  const load = await withoutScripts(page, "/api-keys/new");
  await page.getByLabel("Name").fill("Nightly report");
  await page.getByRole("radio", { name: /Read only/ }).check();
  load();
  await page.waitForFunction(() => Object.keys(document).some((key) => key.startsWith("__reactContainer$")));
  await page.getByRole("button", { name: "Create key" }).evaluate(async (button: HTMLButtonElement) => {
    for (let presses = 0; presses < 10; presses += 1) {
      button.click();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  await page.evaluate("deliverTurns()");
  await expect(page.getByRole("heading", { name: "Key created" })).toBeVisible();
  const keys = await getRuntime().db.prisma.apiKey.findMany({
    where: { resellerId: reseller.resellerId, name: "Nightly report" },
  });
  expect(keys.map(({ scopes }) => scopes.includes("wallet:read"))).toEqual([true]);
});
