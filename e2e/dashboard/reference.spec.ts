import { referenceHref, referencePages } from "#lib/dashboard/reference.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

test("anybody can read every page of the reference, and nothing comes from another host", async ({ page, baseURL }) => {
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(String(baseURL)).origin) foreign.push(request.url());
  });
  await page.goto("/docs");
  await expect(page.getByRole("heading", { level: 1, name: "First call" })).toBeVisible();
  for (const { title } of referencePages.slice(1)) {
    const contents = page.getByText("Contents", { exact: true });
    if (await contents.isVisible()) await contents.click();
    const navigation = page.getByRole("navigation", { name: "API reference" }).filter({ visible: true });
    await navigation.getByRole("link", { name: title, exact: true }).click();
    await expect(page).toHaveTitle(`${title} · API reference · License Desk`);
    await expect(page.getByRole("article").getByRole("heading").first()).toBeVisible();
  }
  expect(foreign).toEqual([]);
});

test("an operation has an address of its own, and its example is copied by keyboard", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/docs/dispatch-interface#licenserenew");
  const heading = page.getByRole("heading", { name: "license.renew", exact: true });
  await expect(heading).toBeInViewport();
  const copy = page.locator("h3#licenserenew ~ .sample pre[data-lang=curl]").first().locator("button[data-does=copy]");
  await copy.focus();
  await page.keyboard.press("Enter");
  await expect(copy).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("endpoint=license.renew");
});

test("the contents mark the section that is read, also when scrolling up", { tag: "@desktop" }, async ({ page }) => {
  await page.goto("/docs/dispatch-interface#licenserenew");
  const contents = page.getByRole("navigation", { name: "API reference" }).filter({ visible: true });
  const marked = contents.locator("a[aria-current=true]");
  await expect(marked).toHaveText("license.renew");
  await page.evaluate(() => window.scrollBy(0, -300));
  await expect(marked).toHaveText("license.register");
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(marked).toHaveCount(0);
});

test("where the browser has no clipboard, the example's button says so", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.goto("/docs/dispatch-interface");
  const copy = page.locator("pre:visible").first().locator("button[data-does=copy]");
  await copy.click();
  await expect(copy).toHaveText("Not copied: select the text");
});

test("an example is shown in the chosen language, and tried with a test key only", async ({
  page,
  reseller,
  tolerate,
}) => {
  tolerate(/status of 400/);
  const { apiKey, dispatch } = await reseller.inTestMode();
  await page.goto("/docs/path-interface#get-me");
  const sample = page.locator("h3#get-me ~ .sample").first();
  await expect(sample).toContainText("curl");
  await page.getByRole("radio", { name: "Python" }).check();
  await expect(sample.locator("pre:visible")).toContainText("urllib.request");
  await sample.getByRole("button", { name: "Try it" }).click();
  const dialog = page.getByRole("dialog", { name: "Try it" });
  await expect(dialog.getByRole("button", { name: "Use my own IDs" })).toHaveCount(0);
  await dialog.getByLabel("Test key").fill(reseller.apiKey);
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(dialog.getByLabel("Test key")).toHaveAccessibleDescription(/begins with lk_test_. Nothing was sent/);
  await dialog.getByLabel("Test key").fill(apiKey);
  await inspect(page, "reference-try-it");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(dialog).toContainText("200 OK");
  await expect(dialog).toContainText('"mode": "test"');
  await dialog.getByRole("button", { name: "Close" }).click();
  const { product_id, cycle_id } = await reseller.newProduct();
  const order = { product_id, cycle_id, ip_address: reseller.newAddress() };
  const { license_id } = (await dispatch.post("license.register", order)).body.data;
  await page.goto("/docs/dispatch-interface#licenserenew");
  await page.locator("h3#licenserenew ~ .sample").first().getByRole("button", { name: "Try it" }).click();
  await dialog.getByLabel("Test key").fill(apiKey);
  await dialog.getByRole("button", { name: "Use my own IDs" }).click();
  await expect(dialog.getByLabel("Body")).toHaveValue(`license_id=${license_id}`);
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(dialog).toContainText("200 OK");
  await page.goto("/docs");
  await page.goto("/docs/dispatch-interface#licenseregister");
  await page.locator("h3#licenseregister ~ .sample").first().getByRole("button", { name: "Try it" }).click();
  await dialog.getByLabel("Test key").fill(apiKey);
  await dialog.getByLabel("Body").fill("product_id=nothing");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(dialog).toContainText("400 Bad Request");
});

test("the reference is accessible and fits", async ({ page }) => {
  test.slow();
  for (const one of referencePages) {
    await page.goto(referenceHref(one));
    await inspect(page, `reference-${one.slug || "first-call"}`);
  }
  expect((await page.request.get("/docs/nothing")).status()).toBe(404);
});
