import { readdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Page } from "@playwright/test";
import { expect, onDesktop, test } from "../support/dashboard.ts";

const folder = join(import.meta.dirname, "..", "..", "app", "(dashboard)");
/** The addresses of all pages that name nothing in particular. */
const pages = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(`${sep}page.tsx`) && !file.includes("["))
  .map((file) => `/${dirname(file).split(sep).join("/")}`);

/** As the server sends it; null: the page is not this user's. */
async function readTitle(page: Page, path: string): Promise<string | null> {
  const answer = await page.request.get(path);
  if (answer.status() === 403) return null;
  const titles = [...(await answer.text()).matchAll(/<title>(.*?) · License Desk<\/title>/g)];
  expect(titles, path).toHaveLength(1);
  return titles[0]?.[1] ?? "";
}

test("every page has one title, and no two pages have the same", async ({ page, login, reseller }) => {
  const { license_id } = await reseller.newLicense();
  const { resellerId, apiKeyId } = reseller;
  const tabs = ["", "/licenses", "/wallet", "/prices", "/api-keys", "/api-keys/new", "/team", "/activity"];
  const objects = {
    reseller: [`/licenses/${license_id}`, `/licenses/${license_id}/verifications`, `/api-keys/${apiKeyId}`],
    admin: [
      "/providers/sandbox",
      ...[...tabs, "/settings", "/statement"].map((tab) => `/resellers/${resellerId}${tab}`),
    ],
  };
  for (const role of ["reseller", "admin"] as const) {
    await login(role === "admin" ? role : reseller);
    const titles: string[] = [];
    for (const path of [...pages, ...objects[role]])
      titles.push((await readTitle(page, path)) ?? `Not for them: ${path}`);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
    expect(titles.filter((title) => !title.startsWith("Not for them")).length).toBeGreaterThan(20);
  }
});

test("what is not there and what is not allowed have a title, too", async ({ page, login, reseller, tolerate }) => {
  tolerate(/status of 40[34]/);
  await login(reseller);
  await page.goto("/catalog");
  await expect(page).toHaveTitle("Not allowed · License Desk");
  await page.goto("/licenses/nonsense");
  await expect(page).toHaveTitle("Not found · License Desk");
  await page.goto("/nonsense");
  await expect(page).toHaveTitle("Page not found · License Desk");
});

test("public pages have one, too", async ({ page }) => {
  const read = async (path: string) => `${path}: ${await readTitle(page, path)}`;
  const links = ["set-password", "confirm-email", "stop-messages", "confirmed", "forgot-password"];
  expect(await Promise.all(["sign-in", ...links, "docs"].map((path) => read(`/${path}`)))).toEqual([
    "/sign-in: Sign in",
    "/set-password: Choose a password",
    "/confirm-email: Confirm an email address",
    "/stop-messages: Stop emails",
    "/confirmed: Sign-in",
    "/forgot-password: Forgot your password?",
    "/docs: First call · API reference",
  ]);
});

test(
  "the title changes with the page, and is never missing in between",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    await page.goto("/bundles");
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { seenTitles: seen });
      const note = () => {
        const titles = [...document.head.querySelectorAll("title")].map(({ textContent }) => textContent).join("; ");
        if (seen.at(-1) !== titles) seen.push(titles);
      };
      note();
      new MutationObserver(note).observe(document, { childList: true, subtree: true, characterData: true });
    });
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Developers" }).click();
    await expect(page.getByRole("heading", { name: "Developers", level: 1 })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Bundles", level: 1 })).toBeVisible();
    const { seenTitles } = (await page.evaluate("({ seenTitles })")) as { readonly seenTitles: readonly string[] };
    expect(seenTitles).toEqual(["Bundles", "Developers", "Bundles"].map((name) => `${name} · License Desk`));
  },
);
