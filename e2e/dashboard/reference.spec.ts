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
  const copy = page.locator("h3#licenserenew ~ pre button").first();
  await copy.focus();
  await page.keyboard.press("Enter");
  await expect(copy).toHaveText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("endpoint=license.renew");
});

test("where the browser has no clipboard, the example's button says so", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.goto("/docs/dispatch-interface");
  const copy = page.locator("pre").first().getByRole("button");
  await copy.click();
  await expect(copy).toHaveText("Not copied: select the text");
});

test("the reference is accessible and fits", async ({ page }) => {
  test.slow();
  for (const one of referencePages) {
    await page.goto(referenceHref(one));
    await inspect(page, `reference-${one.slug || "first-call"}`);
  }
  expect((await page.request.get("/docs/nothing")).status()).toBe(404);
});
