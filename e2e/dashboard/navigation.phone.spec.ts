import { expect, newUser, signInAs, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { newServer } from "../support/servers.ts";
import { addWaitingTopUps } from "../support/waiting.ts";

test("an admin's phone shows below every page how much waits, and names its links with the exact number", async ({
  page,
  login,
  reseller,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await addWaitingTopUps(reseller.resellerId, 1200);
  await login("admin");
  await page.goto("/resellers?q=nothing+has+this");
  const link = page.getByRole("link", { name: /^Top-ups \d,\d{3} waiting$/ });
  await expect(link.getByText("99+")).toBeVisible();
  await inspect(page, "waiting");
});

test("the number of unread notifications lies on the bell", async ({ page, context, reseller, apiUrl }) => {
  const user = await newUser(reseller.resellerId);
  await (await newServer(reseller)).report({ hostname: "full.northwind.example", diskFree: "200MB" });
  await signInAs(context, user, apiUrl);
  await page.goto("/bundles");
  const bell = page.getByRole("link", { name: "Notifications, 1 unread" });
  const edgesOf = (element: Element) => element.getBoundingClientRect().toJSON() as DOMRect;
  const icon = await bell.locator("svg").evaluate(edgesOf);
  const number = await bell.getByText("1", { exact: true }).evaluate(edgesOf);
  expect(icon.right - number.left).toBeGreaterThan(4);
  expect(number.bottom - icon.top).toBeGreaterThan(4);
});

test("a phone shows the tab of the page that is open, however far along its row", async ({ page, login, reseller }) => {
  await login("admin");
  for (const [path, label] of [
    ["activity", "Activity"],
    ["team", "Team"],
  ]) {
    await page.goto(`/resellers/${reseller.resellerId}/${path}`);
    const tab = page.getByRole("navigation", { name: "Reseller" }).getByRole("link", { name: label });
    await expect(tab).toHaveAttribute("aria-current", "page");
    // Its line lies on the edge of the row, which cuts one pixel off.
    await expect(tab).toBeInViewport({ ratio: 0.95 });
  }
});

test("what a field at the end of the screen suggests covers neither the field nor the bar below", async ({
  page,
  login,
  reseller,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await reseller.newLicense();
  await login(reseller);
  await page.goto("/api-keys/new?preset=agent");
  const field = page.getByRole("combobox", { name: "License" });
  await field.fill("lic");
  const list = page.getByRole("listbox", { name: "licenses" });
  await expect(list.getByRole("option")).toHaveCount(1);
  const edgesOf = (element: HTMLElement) => element.getBoundingClientRect().toJSON() as DOMRect;
  const bar = page.getByRole("navigation", { name: "Main" });
  for (const height of [844, 640]) {
    await page.setViewportSize({ width: 390, height });
    await expect(async () => {
      const [top, input, shown] = [
        (await bar.evaluate(edgesOf)).top,
        await field.evaluate(edgesOf),
        await list.evaluate(edgesOf),
      ];
      expect(input.bottom).toBeLessThanOrEqual(top);
      expect(shown.bottom).toBeLessThanOrEqual(top);
      expect(shown.bottom <= input.top || shown.top >= input.bottom).toBe(true);
    }).toPass({ timeout: 5_000 });
  }
});
