import { expect, onDesktop, test } from "../support/dashboard.ts";

test(
  "with forced colors, what is chosen, current or on looks unlike what is not, and bars of a chart are seen",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const license = await reseller.newLicense({ product: { price: 1000n } });
    await page.emulateMedia({ forcedColors: "active" });

    await page.goto("/licenses/new");
    const cards = page.getByRole("radio").locator("..");
    await cards.first().click();
    await expect(cards.first()).toHaveCSS("outline-style", "solid");
    await expect(cards.nth(1)).toHaveCSS("outline-style", "none");
    const navigation = page.getByRole("navigation", { name: "Main" });
    await expect(navigation.getByRole("link", { name: "Licenses" })).toHaveCSS("outline-style", "solid");
    await expect(navigation.getByRole("link", { name: "Overview" })).toHaveCSS("outline-style", "none");

    await page.goto(`/licenses/${license.license_id}`);
    const auto = page.getByRole("switch", { name: "Renew before it expires" });
    const colors = () =>
      auto.evaluate((track) =>
        [track, track.nextElementSibling ?? track].map((part) => getComputedStyle(part).backgroundColor),
      );
    const off = await colors();
    await auto.check();
    await expect.poll(async () => (await colors()).filter((color, index) => color === off[index])).toEqual([]);
    for (const [track, knob] of [off, await colors()]) expect(knob).not.toBe(track);

    await page.goto("/overview");
    const bar = page.locator("[class*=bg-chart-]").first();
    const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await expect(bar).not.toHaveCSS("background-color", canvas);
  },
);
