import { getRuntime } from "#lib/runtime.ts";
import { setPrice } from "#lib/services/catalog/set-price.ts";
import { totpCode } from "#tests/support/totp.ts";
import { listPages } from "../support/build.ts";
import { newRunningJob } from "../support/bulk.ts";
import { expect, onDesktop, test } from "../support/dashboard.ts";
import { textOfPages } from "../support/pdf.ts";
import { systemContext } from "../support/world.ts";

/** Of A4 in CSS pixels: on its side it is as wide as a screen with a side bar. */
const PAPER = { width: 1123, height: 794 };

test(
  "printed, the wallet is black on white, without the shell and what only a screen can press",
  onDesktop,
  async ({ page, login, reseller }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await login(reseller);
    await page.goto("/wallet");
    await expect(page.getByRole("banner")).toBeVisible();
    await expect(page.getByRole("link", { name: "Statement" })).toBeVisible();
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await expect(page.getByRole("banner")).toBeHidden();
    await expect(page.getByRole("navigation", { name: "Main" }).first()).toBeHidden();
    await expect(page.getByRole("link", { name: "Statement" })).toBeHidden();
    await expect(page.getByRole("table", { name: /Ledger/ })).toBeVisible();
    const colors = await page.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      return { backgroundColor, color };
    });
    expect(colors).toEqual({ backgroundColor: "rgb(255, 255, 255)", color: "rgb(0, 0, 0)" });
  },
);

test(
  "printed, a chart keeps its bars and a switch its state, and no button that leads elsewhere is on the paper",
  onDesktop,
  async ({ page, login, reseller }) => {
    const { license_id } = await reseller.newLicense();
    await login(reseller);
    await page.emulateMedia({ media: "print" });
    await page.goto("/overview");
    await expect(page.locator("[class*=bg-chart-]").first()).toHaveCSS("print-color-adjust", "exact");
    await expect(page.getByRole("region", { name: "Wallet" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Top up" })).toBeHidden();
    await page.goto(`/licenses/${license_id}`);
    const autoRenew = page.getByRole("switch", { name: "Renew before it expires" });
    await expect(autoRenew).toHaveCSS("print-color-adjust", "exact");
    await expect(page.getByRole("link", { name: "All verifications" })).toBeHidden();
  },
);

test(
  "printed, the list of licenses wraps its dates so that none is cut off, and offers nothing to select or download",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    await reseller.newLicense();
    await page.goto("/licenses");
    const table = page.getByRole("table", { name: "Licenses" });
    const controls = [
      table.getByRole("checkbox").first(),
      page.getByRole("combobox", { name: "Product" }),
      page.getByRole("link", { name: "Export CSV" }),
    ];
    for (const control of controls) await expect(control).toBeVisible();
    await page.emulateMedia({ media: "print" });
    for (const control of controls) await expect(control).toBeHidden();
    const expiry = table.getByRole("row").last().getByRole("cell").last().locator("> span:not([aria-hidden])");
    await expect(expiry).toHaveText(/^in \d+ days .*, 20\d\d$/);
    await expect(expiry).toHaveCSS("white-space", "normal");
  },
);

test(
  "printed on A4, an admin's list of licenses and a product's prices in five currencies are not cut off",
  onDesktop,
  async ({ page, login, reseller }) => {
    const { license_id, product_id, cycle_id } = await reseller.newLicense();
    await getRuntime().db.prisma.license.updateMany({
      where: { id: license_id },
      data: { hostname: "a-rather-long-name-of-a-host.rack-12.oslo.customers.example.com" },
    });
    for (const currency of ["EUR", "GBP", "SEK", "CHF", "USD"]) {
      const place = { resellerId: null, cycleId: cycle_id, currency };
      await setPrice(systemContext(), { ...place, price: "1000", setupFee: "", pricePerCore: null });
    }
    await login("admin");
    // The styles of the whole sheet's width, and the room between its margins.
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.emulateMedia({ media: "print" });
    for (const path of [`/resellers/${reseller.resellerId}/licenses`, "/licenses", `/catalog/products/${product_id}`]) {
      await page.goto(path);
      const table = page.locator("main :is(.data-table, .price-grid)").first();
      const right = await table.evaluate((element) => {
        document.body.style.width = "680px";
        return element.getBoundingClientRect().right;
      });
      expect(right, path).toBeLessThanOrEqual(680);
    }
  },
);

test(
  "printed, recovery codes that are shown once have the paper to themselves, all of them on one page",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    await page.goto("/settings");
    await page.getByRole("button", { name: "Set up authenticator app" }).click();
    const dialog = page.getByRole("dialog", { name: "Set up authenticator app" });
    const secret = (await dialog.locator("code").textContent()) ?? "";
    await dialog.getByLabel("Code", { exact: true }).fill(totpCode(secret, new Date()));
    await dialog.getByRole("button", { name: "Turn on" }).click();
    const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    await expect(codes).toHaveCount(10);
    const [sheet = "", ...others] = textOfPages(await page.pdf({ format: "Letter" }));
    for (const code of await codes.allTextContents()) expect(sheet).toContain(code);
    expect(sheet).toContain("Yourrecoverycodes");
    expect(sheet).not.toContain("Ihavesavedthem");
    expect(sheet).not.toContain("Emailnotifications");
    expect(others).toEqual([]);
  },
);

test("printed, a relative time has its date", onDesktop, async ({ page, login, reseller }) => {
  await reseller.newLicense();
  await login(reseller);
  await page.goto("/overview");
  await expect(page.getByText("just now").first()).toBeVisible();
  const paper = textOfPages(await page.pdf({ format: "A4" })).join("");
  expect(paper).toMatch(/justnow\([A-Z][a-z]{2}\d{1,2},20\d\d,\d{1,2}:\d\d[AP]MUTC\)/);
});

test("printed, a card's title is on the page of what it names", onDesktop, async ({ page, login }) => {
  await login("admin");
  await page.goto("/system");
  await page.getByRole("region", { name: "Largest tables" }).evaluate((card) => {
    const copies = Array.from({ length: 24 }, (_, n) => {
      const above = document.createElement("div");
      above.style.height = `${300 + 40 * n}px`;
      return [above, card.cloneNode(true)];
    });
    card.closest("main")?.replaceChildren(...copies.flat());
  });
  const pages = textOfPages(await page.pdf({ format: "A4" }));
  expect(pages.join("").match(/Largesttables/g)).toHaveLength(24);
  expect(pages.filter((text) => /Largesttables(?:Page\d{1,3}of\d{1,3})?$/.test(text))).toEqual([]);
});

for (const reader of ["reseller", "admin"] as const) {
  test(
    `printed, every page of a ${reader} has the paper to itself`,
    onDesktop,
    async ({ context, login, reseller }) => {
      test.setTimeout(180_000);
      const user = await login(reader === "admin" ? "admin" : reseller);
      // Not the fixture's page, which waits until each is hydrated: what is printed is there before.
      const page = await context.newPage();
      await page.setViewportSize(PAPER);
      await page.emulateMedia({ media: "print" });
      const framed: string[] = [];
      const waiting = [await reseller.newLicense(), await reseller.newLicense()].map(({ license_id }) => license_id);
      const job = await newRunningJob(reseller, user, { done: waiting.slice(1), waiting: waiting.slice(0, 1) });
      for (const path of [...listPages(), ...(reader === "reseller" ? [`/jobs/${job}`] : [])]) {
        await page.goto(path, { waitUntil: "domcontentloaded" });
        await page.locator("main").waitFor();
        if (await page.locator("[data-owner]").count()) framed.push(path);
        const paper = await page.evaluate(() => {
          const main = document.querySelector("main");
          const { left = 0, width = 0 } = main?.getBoundingClientRect() ?? {};
          const unfilled = [...(main?.querySelectorAll("*") ?? [])].filter((element) => {
            const style = getComputedStyle(element);
            const isFilled = !/, 0\)$|^rgb\(255, 255, 255\)$/.test(style.backgroundColor);
            const isEmpty =
              element.textContent?.trim() === "" &&
              !element.querySelector("svg") &&
              element.getClientRects().length > 0;
            return isFilled && isEmpty && style.getPropertyValue("print-color-adjust") !== "exact";
          });
          return {
            beside: document.body.innerText.replace(main?.innerText ?? "", "").trim(),
            unfilled: unfilled.map(({ outerHTML }) => outerHTML.slice(0, 120)),
            left,
            width,
          };
        });
        expect(paper, path).toEqual({ beside: "", unfilled: [], left: 0, width: PAPER.width });
      }
      expect(framed.length).toBeGreaterThan(20);
    },
  );
}
