import type { Page } from "@playwright/test";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

test.describe("with the worker", () => {
  test.use({ serviceWorkers: "allow" });

  test("a page asked for without a connection says so in our words, stores nothing, and opens once it is back", async ({
    page,
    context,
    login,
    reseller,
    tolerate,
  }) => {
    tolerate(/ERR_INTERNET_DISCONNECTED|status of 503/);
    await login(reseller);
    await page.goto("/licenses");
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      while (navigator.serviceWorker.controller === null) await new Promise((wait) => setTimeout(wait, 50));
    });
    await context.setOffline(true);
    await page.evaluate(() => location.assign("/bundles"));
    await expect(page.getByRole("heading", { name: "No connection" })).toBeVisible();
    await expect(page).toHaveURL(/\/bundles$/);
    expect(await page.evaluate(() => caches.keys())).toEqual([]);
    await inspect(page, "offline");
    await context.setOffline(false);
    await expect(page.getByRole("heading", { name: "Bundles", exact: true })).toBeVisible();
  });
});

test("what is saved without a connection keeps what was typed, and is carried out once when it is back", async ({
  page,
  context,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/ERR_INTERNET_DISCONNECTED/);
  await login(reseller);
  await page.goto("/settings");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Robin Reconnected");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("No connection.")).toBeVisible();
  await expect(name).toHaveValue("Robin Reconnected");
  await context.setOffline(false);
  await expect(page.getByText("Profile saved")).toBeVisible();
  await expect(page.getByText("No connection.")).toHaveCount(0);
  await page.reload();
  await expect(name).toHaveValue("Robin Reconnected");
});

/** Answers as a build without the actions of these pages. Returns how often one was called. */
async function removeActions(page: Page, pages: string): Promise<() => number> {
  let calls = 0;
  await page.route(pages, (route) => {
    if (!("next-action" in route.request().headers())) return route.continue();
    calls += 1;
    const headers = { "x-nextjs-action-not-found": "1" };
    return route.fulfill({ status: 404, headers, contentType: "text/plain", body: "Server action not found." });
  });
  return () => calls;
}

test("a form whose action an update has removed says so at once, and that nothing was sent", async ({
  page,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/status of 404/);
  await login(reseller);
  await page.goto("/settings");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Robin Outdated");
  const calls = await removeActions(page, "**/settings");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("License Desk was updated")).toBeVisible();
  await expect(page.getByText("No connection.")).toHaveCount(0);
  await expect(name).toHaveValue("Robin Outdated");
  expect(calls()).toBe(1);
});

test("a button without a form says so, too, when an update has removed its action", async ({
  page,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/status of 404/);
  const { body } = await reseller.path.post("/webhook-endpoints", { url: "https://hooks.invalid/" });
  await login(reseller);
  await page.goto(`/webhooks/${body.id}`);
  await removeActions(page, "**/webhooks/*");
  await page.getByRole("button", { name: "Verify again" }).click();
  const toasts = page.getByRole("region", { name: "Notifications" });
  await expect(toasts).toContainText("No challenge sent");
  await expect(toasts).toContainText("License Desk was updated");
});

test("first steps that cannot be dismissed without a connection leave the page, and say so", async ({
  page,
  context,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/ERR_INTERNET_DISCONNECTED/);
  await login(reseller);
  await page.goto("/overview");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Dismiss", exact: true }).click();
  await expect(page.getByText("Not dismissed")).toBeVisible();
  await expect(page.getByText("First steps")).toBeVisible();
});

test("a dialog whose code cannot be loaded says so above the page, which keeps what was typed, and opens later", async ({
  page,
  context,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/ERR_INTERNET_DISCONNECTED|Failed to load chunk/);
  await login(reseller);
  await page.goto("/settings");
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Robin Typing");
  await context.setOffline(true);
  await page.keyboard.press("Control+k");
  const notice = page.getByRole("dialog", { name: "A part of the page could not be loaded" });
  await expect(notice).toBeVisible();
  await context.setOffline(false);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(name).toHaveValue("Robin Typing");
});
