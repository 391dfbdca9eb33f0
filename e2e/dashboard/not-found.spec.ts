import { readdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { expect, onDesktop, test } from "../support/dashboard.ts";

/** What names nothing, for each part of an address that names something, well formed and not. */
const nothing: Readonly<Record<string, readonly string[]>> = {
  "[id]": ["2147483647", "whe_2147483647", "nonsense", "0", "%"],
  "[keyId]": ["2147483647", "nonsense", "%"],
  "[eventId]": ["evt_00000000-0000-4000-8000-000000000000", "nonsense"],
  "[address]": ["203.0.113.99", "nonsense", "%", "%25"],
  "[name]": ["nobody", "%", "%25", "%ff"],
};

const ADMIN = /^\/(catalog|outbox|providers|reconciliation|resellers)\//;

const folder = join(import.meta.dirname, "..", "..", "app", "(dashboard)");
const pages = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(`${sep}page.tsx`) && file.includes("["))
  .map((file) => `/${dirname(file).split(sep).join("/")}`.replaceAll(/\/\([^/]+\)/g, ""))
  .toSorted();

/** The page's address with each of its names in turn naming nothing; `known`: what the names before it name. */
function addressesOf(page: string, known: Readonly<Record<string, string>>): string[] {
  const names = page.match(/\[\w+\]/g) ?? [];
  return names.flatMap((name, index) => {
    const before = names.slice(0, index).reduce((path, earlier) => path.replace(earlier, known[earlier] ?? ""), page);
    return (nothing[name] ?? []).map((value) =>
      names.slice(index + 1).reduce((path, later) => path.replace(later, "1"), before.replace(name, value)),
    );
  });
}

test("every page about one thing answers 404 for what does not exist, and says so", async ({
  page,
  login,
  reseller,
}) => {
  expect(pages.length).toBeGreaterThan(20);
  const wrong: string[] = [];
  for (const role of ["reseller", "admin"] as const) {
    await login(role === "admin" ? role : reseller);
    for (const route of pages.filter((path) => ADMIN.test(path) === (role === "admin"))) {
      const addresses = addressesOf(route, { "[id]": String(reseller.resellerId) });
      expect(addresses, route).not.toEqual([]);
      for (const address of addresses) {
        const answer = await page.request.get(address);
        if (answer.status() !== 404 || !(await answer.text()).includes("does not belong to your account")) {
          wrong.push(`${address}: ${answer.status()}`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("what belongs to another reseller answers 404 as well (contract 1.12)", async ({
  page,
  login,
  reseller,
  newReseller,
}) => {
  const address = reseller.newAddress();
  const { license_id } = await reseller.newLicense({ ip: address });
  await login(await newReseller());
  const paths = [`/licenses/${license_id}`, `/licenses/${license_id}/verifications`, `/api-keys/${reseller.apiKeyId}`];
  for (const path of [...paths, `/diagnostics/${address}`]) {
    expect((await page.request.get(path)).status(), path).toBe(404);
  }
});

test("the sandbox, which has nothing to edit or import, answers 404 there", async ({ page, login }) => {
  await login("admin");
  for (const path of ["/providers/sandbox/edit", "/providers/sandbox/import"]) {
    expect((await page.request.get(path)).status(), path).toBe(404);
  }
  expect((await page.request.get("/providers/sandbox")).status()).toBe(200);
});

for (const { chosen, system, canvas } of [
  { chosen: "system", system: "dark", canvas: "dark" },
  { chosen: "dark", system: "light", canvas: "dark" },
  { chosen: "light", system: "dark", canvas: "light" },
] as const) {
  test(
    `what names nothing is ${canvas} before its scripts, where ${chosen} is chosen and the system is ${system}`,
    onDesktop,
    async ({ browser, context, apiUrl, login, reseller }) => {
      await login(reseller);
      await context.addCookies([{ name: "theme", value: chosen, url: apiUrl }]);
      const scriptless = await browser.newContext({
        baseURL: apiUrl,
        colorScheme: system,
        javaScriptEnabled: false,
        storageState: await context.storageState(),
      });
      const page = await scriptless.newPage();
      expect((await page.goto("/licenses/2147483647"))?.status()).toBe(404);
      const isDark = await page.evaluate(() => {
        document.body.style.backgroundColor = "Canvas";
        return getComputedStyle(document.body).backgroundColor !== "rgb(255, 255, 255)";
      });
      expect(isDark).toBe(canvas === "dark");
      await scriptless.close();
    },
  );
}
