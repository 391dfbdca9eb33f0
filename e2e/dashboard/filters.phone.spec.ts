import { expect, newEndpoint, test } from "../support/webhooks.ts";

test("on phones, filters open above the chips, as two equal columns", async ({ page, login, reseller, receiver }) => {
  await login(reseller);
  await newEndpoint(reseller, receiver);
  await reseller.newLicense();
  for (const path of ["/webhooks/log?outcome=failed", "/developers/requests?status=5xx", "/wallet"]) {
    await page.goto(path);
    const main = page.getByRole("main");
    await main.getByRole("button", { name: "Filters" }).click();
    const filters = main.locator("button:has-text('Filters') + div");
    const [box, chips] = await Promise.all([
      filters.boundingBox(),
      main.getByRole("navigation", { name: /^Filter by/ }).boundingBox(),
    ]);
    expect(chips?.y, path).toBeGreaterThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
    const widths = await filters.evaluate(({ children }) =>
      Array.from(children, (child) => Math.round(child.getBoundingClientRect().width)),
    );
    const [full, half] = [Math.round(box?.width ?? 0), Math.round(((box?.width ?? 0) - 12) / 2)];
    expect(widths.length, path).toBeGreaterThan(1);
    expect(
      widths.filter((width) => width !== full && width !== half),
      path,
    ).toEqual([]);
  }
});
