import type { Locator, Page } from "@playwright/test";
import type { ResellerId } from "#lib/domain/ids.ts";
import { adminRoleNames, type Role, resellerRoleNames } from "#lib/domain/roles.ts";
import { getRuntime } from "#lib/runtime.ts";
import { listPages } from "../support/build.ts";
import { expect, newUser, onDesktop, signInAs, test, untilHydrated } from "../support/dashboard.ts";
import type { Reseller } from "../support/world.ts";

/** Buttons and links that begin a change of a reseller's or the installation's data. */
const CHANGES =
  /^(Add|Adjust|Cancel the rest|Change|Compare|Create|Decide|Delete|Disable|Edit|Enable|Import|Lift|Move|Pause|Rebind|Refund|Register|Renew|Request|Resend|Retire|Retry|Revoke|Rotate|Save|Send|Set|Suspend|Terminate|Test|Top up|Verify)\b/;
/** One's own, and views of a page. */
const OWN =
  /^(Change email|Change password|Save notifications|Save profile|Request log|Set up authenticator app|Add (a )?passkey|Add passkey)/;

async function listChanges(page: Page): Promise<string[]> {
  const controls: Locator = page.getByRole("main").locator("a:visible, button:enabled:visible");
  const names = await controls.evaluateAll((all) =>
    all.map((one) => one.getAttribute("aria-label") ?? one.textContent ?? ""),
  );
  return names.filter((name) => CHANGES.test(name) && !OWN.test(name));
}

async function furnish(reseller: Reseller): Promise<readonly string[]> {
  const { license_id } = await reseller.newLicense();
  await reseller.newBundle([{}]);
  const endpoint = await reseller.path.post("/webhook-endpoints", { url: "https://hooks.invalid/" });
  return [
    "/overview",
    "/licenses",
    `/licenses/${license_id}`,
    `/licenses/${license_id}/verifications`,
    "/bundles",
    "/jobs",
    "/wallet",
    "/wallet/top-ups",
    "/diagnostics",
    "/api-keys",
    `/api-keys/${reseller.apiKeyId}`,
    "/developers",
    "/webhooks",
    `/webhooks/${endpoint.body.id}`,
    "/webhooks/log",
    "/settings",
    "/settings/team",
  ];
}

test(
  "a viewer sees every page and no button that changes anything",
  onDesktop,
  async ({ page, context, apiUrl, reseller }) => {
    test.slow();
    const paths = await furnish(reseller);
    const found = async (role: Role) => {
      await signInAs(context, await newUser(reseller.resellerId, "Vera Viewer", role), apiUrl);
      const changes: string[] = [];
      for (const path of paths) {
        expect((await page.goto(path))?.status(), path).toBe(200);
        changes.push(...(await listChanges(page)).map((name) => `${path}: ${name}`));
      }
      return changes;
    };
    expect((await found("owner")).length).toBeGreaterThan(15);
    expect(await found("viewer")).toEqual([]);
  },
);

test(
  "an admin with the role Support sees every page and no button that changes anything",
  onDesktop,
  async ({ page, context, apiUrl, reseller }) => {
    test.slow();
    const product = await getRuntime().db.prisma.product.findFirstOrThrow({ select: { id: true } });
    const own = `/resellers/${reseller.resellerId}`;
    const { license_id } = await reseller.newLicense();
    const lists = [
      "/overview",
      "/licenses",
      `/licenses/${license_id}`,
      `/licenses/${license_id}/verifications`,
      "/resellers",
      "/top-ups",
      "/top-ups/settings",
      "/reconciliation",
      "/catalog",
      "/catalog/bundles",
      "/providers",
      "/users",
      "/audit",
    ];
    const tabs = ["licenses", "wallet", "prices", "api-keys", "team", "activity", "settings", "statement"];
    const paths = [...lists, own, ...tabs.map((tab) => `${own}/${tab}`)];
    const found = async (role: Role) => {
      await signInAs(context, await newUser(null, "Sam Support", role), apiUrl);
      const changes: string[] = [];
      for (const path of [...paths, `/catalog/products/${product.id}`, "/providers/sandbox"]) {
        expect((await page.goto(path))?.status(), path).toBe(200);
        changes.push(...(await listChanges(page)).map((name) => `${path}: ${name}`));
      }
      return changes;
    };
    expect((await found("owner")).length).toBeGreaterThan(10);
    expect(await found("support")).toEqual([]);
  },
);

test(
  "no page fails for any role: it is shown, is elsewhere, or says that the role does not allow it",
  onDesktop,
  async ({ context, apiUrl, newReseller }) => {
    test.setTimeout(240_000);
    const { resellerId } = await newReseller();
    const groups: readonly (readonly [ResellerId | null, readonly Role[]])[] = [
      [resellerId, resellerRoleNames],
      [null, adminRoleNames],
    ];
    const refused = new Map<string, readonly string[]>();
    const failed: string[] = [];
    for (const [of, roles] of groups) {
      const isOfOther = `This page belongs to ${of === null ? "resellers" : "administrators"}`;
      for (const role of roles) {
        await signInAs(context, await newUser(of, "Robin Example", role), apiUrl);
        const forbidden: string[] = [];
        for (const path of listPages()) {
          const answer = await context.request.get(apiUrl + path, { maxRedirects: 0 });
          const status = answer.status();
          const text = status === 403 ? await answer.text() : "";
          const isRefused = text.includes("Your role does not allow this");
          if (isRefused) forbidden.push(path);
          if (status === 403 && !isRefused && !text.includes(isOfOther)) failed.push(`${path} is bare`);
          if (status >= 500) failed.push(`${path} ${status} for ${role} of ${of}`);
        }
        refused.set(`${of === null ? "admin" : "reseller"} ${role}`, forbidden);
      }
    }
    expect(failed).toEqual([]);
    for (const owner of ["reseller owner", "admin owner"]) expect(refused.get(owner)).toEqual([]);
    expect(refused.get("reseller viewer")).toEqual(
      expect.arrayContaining(["/licenses/new", "/licenses/import", "/bundles/new", "/api-keys/new", "/webhooks/new"]),
    );
    expect(refused.get("reseller support")).toEqual(
      expect.arrayContaining(["/wallet", "/wallet/statement", "/overview"]),
    );
    expect(refused.get("admin support")).toEqual(expect.arrayContaining(["/resellers/new", "/catalog/products/new"]));
  },
);

test("support suspends a license and cannot renew it, nor see the wallet", async ({
  page,
  context,
  apiUrl,
  reseller,
  tolerate,
}) => {
  const { license_id } = await reseller.newLicense();
  await signInAs(context, await newUser(reseller.resellerId, "Sue Support", "support"), apiUrl);
  await page.goto("/");
  await expect(page).toHaveURL(/\/licenses$/);
  await expect(page.getByRole("banner").getByRole("link", { name: /Wallet balance/ })).toHaveCount(0);
  await page.goto(`/licenses/${license_id}`);
  await expect(page.getByRole("button", { name: "Renew" })).toHaveCount(0);
  await expect(page.getByRole("switch", { name: /Renew before it expires/ })).toBeDisabled();
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("Suspended by you")).toBeVisible();
  tolerate(/status of 403/);
  expect((await page.goto("/wallet"))?.status()).toBe(403);
  await expect(page.getByText("Your role does not allow this")).toBeVisible();
  await expect(page.getByText("Your role is Support. Ask an owner of your team for access.")).toBeVisible();
  await page.getByRole("link", { name: "Go to Licenses" }).click();
  await expect(page).toHaveURL(/\/licenses$/);
});

test("an owner changes a role, and the other's next click obeys; they stay signed in", async ({
  page,
  login,
  reseller,
  browser,
  apiUrl,
}) => {
  test.slow();
  const { license_id } = await reseller.newLicense();
  const member = await newUser(reseller.resellerId, "Mia Member", "manager");
  const theirs = await browser.newContext({ baseURL: apiUrl });
  await signInAs(theirs, member, apiUrl);
  const other = await theirs.newPage();
  await other.goto(`/licenses/${license_id}`);
  await untilHydrated(other);
  await other.getByRole("button", { name: "Suspend" }).click();
  const dialog = other.getByRole("dialog");
  await expect(dialog).toBeVisible();

  await login(reseller);
  await page.goto("/settings/team");
  await page.getByRole("button", { name: "Actions for Mia Member" }).click();
  await page.getByRole("menuitem", { name: "Change role" }).click();
  await page.getByRole("radio", { name: /^Viewer/ }).check();
  await page.getByRole("button", { name: "Change role", exact: true }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("row").filter({ hasText: "Mia Member" })).toContainText("Viewer");

  await dialog.getByRole("button", { name: "Suspend" }).click();
  await expect(dialog.getByRole("alert")).toContainText(
    "Your role does not allow you to change licenses. An owner of your team can change your role.",
  );
  expect((await reseller.dispatch.get("license.info", { license_id })).body.data.status).toBe("active");
  await other.goto(`/licenses/${license_id}`);
  await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(other.getByRole("button", { name: "Suspend" })).toHaveCount(0);
  await theirs.close();
});

test("the last owner stays one, and nobody changes their own role", async ({ page, login, reseller }) => {
  const owner = await newUser(reseller.resellerId, "Olga Owner");
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/team`);
  const row = page.getByRole("row").filter({ hasText: owner.email });
  await row.getByRole("button", { name: "Actions for Olga Owner" }).click();
  await page.getByRole("menuitem", { name: "Change role" }).click();
  await page.getByRole("radio", { name: /^Viewer/ }).check();
  await page.getByRole("button", { name: "Change role", exact: true }).click();
  const alert = page.getByRole("dialog").getByRole("alert");
  await expect(alert).toContainText("This is the last owner. Make another user an owner first.");
  await page.getByRole("button", { name: "Cancel" }).click();
  await row.getByRole("button", { name: "Actions for Olga Owner" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(alert).toContainText("This is the last owner.");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(row).toContainText("Owner");

  await login(reseller);
  await page.goto("/settings/team");
  await expect(page.getByRole("row").filter({ hasText: "(you)" }).getByRole("button")).toHaveCount(0);
});

test("an admin with the role Support acts as a reseller and only looks", async ({
  page,
  context,
  apiUrl,
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  await signInAs(context, await newUser(null, "Sam Support", "support"), apiUrl);
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Act as" }).click();
  await page.getByRole("button", { name: "Act as this reseller" }).click();
  await expect(page.getByRole("region", { name: "Acting as a reseller" })).toBeVisible();
  await page.goto(`/licenses/${license_id}`);
  expect(await listChanges(page)).toEqual([]);
  await page.goto("/wallet");
  expect(await listChanges(page)).toEqual([]);
});
