import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { expect, newUser, signInAs, test } from "./dashboard.ts";
import { findCaseId, furnishInbox } from "./inbox.ts";
import { type Reseller, setLicense } from "./world.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "screenshots");
const THEMES = ["light", "dark"] as const;
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** A page at rest, in both themes: axe finds nothing, nothing is wider than the screen, and a picture is kept. */
export async function inspect(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  for (const theme of THEMES) {
    await showIn(page, theme);
    // No page has frames of another origin: the legacy mode finds the same, and opens no second page for each analysis.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(RULES).analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`),
      `${name} in ${theme}`,
    ).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${name} fits the screen's width in ${theme}`).toBe(0);
  }
  expect(await cutOffTables(page), `${name} shows its tables whole`).toEqual([]);
  await photograph(page, name);
}

/** The same page in a theme, once its colors no longer change. */
async function showIn(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  );
}

/** Tables wider than the frame that they are in, unless they can be scrolled there: their last columns are not seen. */
function cutOffTables(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll("table"), (table) => {
      let frame = table.parentElement;
      while (frame && !/auto|scroll|hidden|clip/.test(getComputedStyle(frame).overflowX)) frame = frame.parentElement;
      const scrolls = frame && /auto|scroll/.test(getComputedStyle(frame).overflowX);
      const tooWide = frame && !scrolls && frame !== document.documentElement && table.offsetWidth > frame.clientWidth;
      return tooWide ? (table.getAttribute("aria-label") ?? "a table") : null;
    }).filter((label) => label !== null),
  );
}

const SMALL_SCREENS = [1024, 1280];

/** Pictures of what lies below the fold as well, unless something is open that belongs to what one sees. */
async function photograph(page: Page, name: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const whole = await page.evaluate(() =>
    document.querySelector("dialog[open], :popover-open") ? 0 : document.documentElement.scrollHeight,
  );
  await page.setViewportSize({ width, height: Math.max(whole, height) });
  // Light comes last: what a test does next, it does in light.
  for (const theme of THEMES.toReversed()) {
    await showIn(page, theme);
    await page.screenshot({ path: join(FOLDER, `${name}-${theme}-${width}.png`) });
  }
  for (const smaller of whole > 0 ? SMALL_SCREENS.filter((screen) => screen < width) : []) {
    await page.setViewportSize({ width: smaller, height });
    expect(await cutOffTables(page), `${name} shows its tables whole on ${smaller} pixels`).toEqual([]);
  }
  await page.setViewportSize({ width, height });
}

/** A reseller with a license in every state, and the one that is active. */
async function furnish(reseller: Reseller): Promise<{ readonly active: number; readonly pending: number }> {
  const product = await reseller.newProduct({ price: 1450n, setupFee: 500n });
  await getRuntime().db.prisma.product.update({ where: { id: product.product_id }, data: { name: "Mail Gateway" } });
  const register = async (ip: string, notes = "") => {
    const { body } = await reseller.dispatch.post("license.register", {
      product_id: product.product_id,
      cycle_id: product.cycle_id,
      ip_address: ip,
      notes,
    });
    return body.data;
  };
  const named = async (host: string) => {
    const license = await register(reseller.newAddress(), "Order 4711");
    await reseller.path.post("/license/update", { license_key: license.license_key, hostname: host });
    return Number(license.license_id);
  };
  await setLicense((await named("old.northwind.example")) as never, "terminated");
  await setLicense((await named("backup.northwind.example")) as never, { expiredDays: 12 });
  const suspended = await named("shop.northwind.example");
  await reseller.dispatch.post("license.suspend", { license_id: suspended, reason: "Payment overdue" });
  const active = await named("web1.northwind.example");
  const pending = await register("192.0.2.20");
  await reseller.newBundle([{}, {}], { price: 2990n });
  return { active, pending: Number(pending.license_id) };
}

/** Declares the tests of how every page looks. */
export function declareLooks(): void {
  test("the page to sign in is accessible and fits", async ({ page }) => {
    await page.goto("/sign-in");
    await inspect(page, "sign-in");
  });

  test("a reseller's pages are accessible and fit", async ({
    page,
    context,
    reseller,
    newReseller,
    apiUrl,
    expectNothingAt,
  }) => {
    test.slow();
    const { active, pending } = await furnish(reseller);
    await signInAs(context, await newUser((await newReseller({ funds: "0" })).resellerId), apiUrl);
    await page.goto("/licenses");
    await inspect(page, "licenses-empty");
    await page.goto("/wallet");
    await inspect(page, "wallet-empty");

    await signInAs(context, await newUser(reseller.resellerId), apiUrl);
    await page.goto("/licenses");
    await expect(page.getByText("web1.northwind.example")).toBeVisible();
    await inspect(page, "licenses");
    await page.goto("/licenses?q=nothing+has+this");
    await inspect(page, "licenses-nothing-found");
    await page.goto("/wallet");
    await inspect(page, "wallet");
    await page.goto(`/licenses/${pending}`);
    await inspect(page, "license-pending");
    await page.goto(`/licenses/${active}`);
    await inspect(page, "license");
    await page.getByRole("button", { name: "Renew" }).click();
    await inspect(page, "license-renew");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Suspend" }).click();
    await inspect(page, "license-suspend");
    await expectNothingAt("/licenses/2147483647");
    await inspect(page, "not-found");
  });

  test("the form that registers is accessible and fits in each of its states", async ({ page, login, newReseller }) => {
    test.slow();
    const reseller = await newReseller({ funds: "20" });
    await login(reseller);
    await page.goto("/licenses/new");
    await inspect(page, "register");
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText("There are 2 problems")).toBeVisible();
    await inspect(page, "register-problems");
    await page.getByRole("radio", { name: /Accelerated Web Server/ }).check();
    await inspect(page, "register-chosen");
    await page.getByRole("radio", { name: /Yearly/ }).check();
    await page.getByLabel("Address").fill(reseller.newAddress());
    await page.getByRole("button", { name: /^Register for/ }).click();
    await expect(page.getByText("Nothing was charged.")).toBeVisible();
    await inspect(page, "register-too-little");
    const product = await reseller.newProduct({ price: 100n });
    await page.reload();
    await page.getByRole("radio", { name: product.name }).check();
    await page.getByLabel("Address").fill("192.0.2.20");
    await page.getByRole("button", { name: /^Register for/ }).click();
    await expect(page.getByRole("heading", { name: "Not confirmed yet" })).toBeVisible();
    await inspect(page, "register-pending");
  });

  test("an admin's pages are accessible and fit", async ({ page, login, reseller }) => {
    await furnish(reseller);
    await login("admin");
    await page.goto("/resellers");
    await inspect(page, "resellers");
    await page.goto("/resellers?q=nothing+has+this");
    await inspect(page, "resellers-nothing-found");
    await page.goto(`/resellers/${reseller.resellerId}`);
    await page.getByLabel("Amount in USD").fill("250");
    await inspect(page, "reseller");
  });

  test("the reconciliation inbox is accessible and fits", async ({ page, login, newReseller, reseller }) => {
    test.slow();
    const quiet = await newReseller();
    await furnishInbox(reseller);
    await login("admin");
    await page.goto(`/reconciliation?reseller=${reseller.resellerId}`);
    await inspect(page, "reconciliation");
    await page.goto(`/reconciliation?reseller=${quiet.resellerId}&state=resolved`);
    await inspect(page, "reconciliation-empty");
    await page.goto(`/reconciliation/${await findCaseId(reseller.resellerId, "differs")}`);
    await inspect(page, "case-differs");
    await page.goto(`/reconciliation/${await findCaseId(reseller.resellerId, "unknown_outcome")}`);
    await inspect(page, "case-unknown");
    await page.goto(`/reconciliation/${await findCaseId(reseller.resellerId, "charged_not_provisioned")}`);
    await page.getByRole("button", { name: "Refund" }).click();
    await inspect(page, "case-refund");
  });
}
