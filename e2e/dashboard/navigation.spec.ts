import { expect, onDesktop, shownBalance, test, untilHydrated } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { addWaitingTopUps } from "../support/waiting.ts";

const MANY = 1200;

test(
  "however much waits, the navigation has its labels whole, and its links are named with the exact number",
  onDesktop,
  async ({ page, login, reseller }) => {
    await addWaitingTopUps(reseller.resellerId, MANY);
    await login("admin");
    await page.goto("/top-ups");
    const navigation = page.getByRole("navigation", { name: "Main" });
    const link = navigation.getByRole("link", { name: /^Top-ups 1,\d{3} waiting$/ });
    await expect(link.getByText("99+")).toBeVisible();
    for (const name of ["Top-ups", "Reconciliation"]) {
      const label = navigation.getByText(name, { exact: true });
      expect(await label.evaluate((text) => text.scrollWidth - text.clientWidth), name).toBe(0);
    }
  },
);

test(
  "the link past the navigation leads past it, also on a list that is searched",
  onDesktop,
  async ({ page, login, reseller }) => {
    await reseller.newLicense();
    await login(reseller);
    for (const path of ["/wallet", "/licenses"]) {
      await page.goto(path);
      await page.getByRole("link", { name: "Skip to content" }).press("Enter");
      await page.keyboard.press("Tab");
      await expect(page.getByRole("main").locator(":focus"), path).toHaveCount(1);
    }
  },
);

test("without a connection the page stays, says so, and its links wait", async ({
  page,
  login,
  reseller,
  context,
  tolerate,
}) => {
  // The links' pages are fetched ahead.
  tolerate(/ERR_INTERNET_DISCONNECTED/);
  await login(reseller);
  await page.goto("/bundles");
  const notice = page.getByText("No connection.");
  await expect(shownBalance(page)).toBeVisible();
  await context.setOffline(true);
  await expect(notice).toBeVisible();
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Licenses" });
  await link.click();
  await expect(page).toHaveURL(/\/bundles$/);
  await inspect(page, "no-connection");
  await context.setOffline(false);
  await expect(notice).toHaveCount(0);
  await link.click();
  await expect(page).toHaveURL(/\/licenses$/);
});

test("a control that leaves the page without one beside it leaves the focus to the part around, and one that was left takes none", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/settings");
  await untilHydrated(page);
  const part = page.locator("main section").first();
  const remove = (isLeft: boolean) =>
    part.evaluate(async (element, isLeft) => {
      const button = document.createElement("button");
      element.replaceChildren(button);
      button.focus();
      if (isLeft) button.blur();
      await new Promise((resolve) => requestAnimationFrame(resolve));
      button.remove();
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }, isLeft);
  await remove(true);
  await expect(page.locator("body")).toBeFocused();
  await remove(false);
  await expect(part).toBeFocused();
});

test("a control that a pointer pressed away, or that leaves the notifications, gives the focus to no other", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/settings");
  await untilHydrated(page);
  const part = page.locator("main section").first();
  const twoButtons = () =>
    part.evaluate((element) => {
      element.innerHTML = "<p><button>Dismiss</button></p><p><button>Undo</button></p>";
      element.addEventListener("click", ({ target }) => (target as Element).parentElement?.remove(), { once: true });
    });
  const dismiss = part.getByRole("button", { name: "Dismiss" });
  await twoButtons();
  await dismiss.click();
  await expect(dismiss).toHaveCount(0);
  await expect(page.locator("body")).toBeFocused();

  const dismissByKey = async () => {
    await twoButtons();
    await page.keyboard.press("Tab");
    await dismiss.press("Enter");
    await expect(dismiss).toHaveCount(0);
  };
  await dismissByKey();
  await expect(part.getByRole("button", { name: "Undo" })).toBeFocused();
  await part.evaluate((element) => element.setAttribute("aria-live", "polite"));
  await dismissByKey();
  await expect(page.locator("body")).toBeFocused();
});

test(
  "a page that is being left does not come back when its requests end, as they do in Firefox",
  onDesktop,
  async ({ page, login, reseller, tolerate }) => {
    tolerate(/ERR_FAILED/);
    await login(reseller);
    await page.goto("/licenses");
    let asked = 0;
    await page.route("**/wallet?_rsc=*", async (route) => {
      asked += 1;
      if (asked > 1) return route.continue();
      await page.evaluate(() => dispatchEvent(new Event("beforeunload")));
      await route.abort();
    });
    const documents: string[] = [];
    page.on("request", (request) => void (request.isNavigationRequest() && documents.push(request.url())));
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Wallet" }).click();
    // It was not left after all, as when a download begins: what was asked for comes.
    await expect(page.getByRole("heading", { name: "Wallet", exact: true })).toBeVisible();
    expect({ asked, documents }).toEqual({ asked: 2, documents: [] });
  },
);
