import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { expect, newUser, test } from "../support/dashboard.ts";
import { endSessions, signInAgain, signInDialog } from "../support/sign-in-again.ts";
import type { Reseller } from "../support/world.ts";

/** An ended session answers what was sent, and what the page polls, with 401; a lost answer is a failed request. */
const EXPECTED = /status of 401|ERR_FAILED/;

interface Form {
  readonly by?: "admin";
  readonly path: (reseller: Reseller, licenseId: number) => string;
  readonly open?: (page: Page) => Promise<void>;
  readonly field: string | RegExp;
  readonly typed: (reseller: Reseller, licenseId: number) => string;
  readonly confirm: string | RegExp;
  /** How often it was carried out. */
  readonly count: (reseller: Reseller) => Promise<number>;
}

const database = () => getRuntime().db.prisma;
const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).click();
const ofLicense = (_: Reseller, licenseId: number) => `/licenses/${licenseId}`;
const operations =
  (kind: "license_change_core" | "license_change_ip" | "license_suspend" | "license_terminate") =>
  ({ resellerId }: Reseller) =>
    database().operation.count({ where: { resellerId, kind } });

const forms: Readonly<Record<string, Form>> = {
  "Change the cores?": {
    path: ofLicense,
    open: press("Change cores"),
    field: "Cores",
    typed: () => "3",
    confirm: /^Change for/,
    count: operations("license_change_core"),
  },
  "Change the IP?": {
    path: ofLicense,
    open: press("Change IP"),
    field: "New address",
    typed: (reseller) => reseller.newAddress(),
    confirm: "Change IP",
    count: operations("license_change_ip"),
  },
  "Suspend this license?": {
    path: ofLicense,
    open: press("Suspend"),
    field: /^Reason/,
    typed: () => "Payment overdue",
    confirm: "Suspend",
    count: operations("license_suspend"),
  },
  "Terminate a license": {
    path: ofLicense,
    async open(page) {
      await press("More actions")(page);
      await page.getByRole("menuitem", { name: "Terminate" }).click();
    },
    field: /^Type lic_/,
    typed: (_, licenseId) => `lic_${licenseId}`,
    confirm: "Terminate for good",
    count: operations("license_terminate"),
  },
  "Request a top-up": {
    path: () => "/wallet?top-up=250.00",
    field: "Reference",
    typed: () => "TR-2027-1",
    confirm: /^Request \$/,
    count: ({ resellerId }) => database().topUpRequest.count({ where: { resellerId } }),
  },
  "Create an API key": {
    path: () => "/api-keys/new",
    field: "Name",
    typed: () => "Shop back end",
    confirm: "Create key",
    count: ({ resellerId }) => database().apiKey.count({ where: { resellerId, name: "Shop back end" } }),
  },
  "Add a webhook endpoint": {
    path: () => "/webhooks/new",
    field: "URL",
    typed: () => "https://93.184.216.34/hook",
    confirm: "Add endpoint",
    count: ({ resellerId }) => database().webhookEndpoint.count({ where: { resellerId } }),
  },
  "Adjust the balance": {
    by: "admin",
    path: ({ resellerId }) => `/resellers/${resellerId}/wallet`,
    async open(page) {
      await press("Adjust balance")(page);
      await page.getByLabel("Amount in USD").fill("12");
    },
    field: "Reason",
    typed: () => "Goodwill for the outage",
    confirm: /^Add \$/,
    count: ({ resellerId }) => database().ledgerEntry.count({ where: { resellerId, kind: "adjustment" } }),
  },
};

for (const [name, { by, path, open, field, typed, confirm, count }] of Object.entries(forms)) {
  test(`"${name}", sent with an ended session, keeps what was typed and is carried out once after signing in`, async ({
    page,
    login,
    reseller,
    tolerate,
  }) => {
    tolerate(EXPECTED);
    const user = await login(by ?? reseller);
    const { license_id } = await reseller.newLicense({ product: { price: 1800n, pricePerCore: 650n } });
    await page.goto(path(reseller, license_id));
    await open?.(page);
    const text = typed(reseller, license_id);
    await page.getByLabel(field, { exact: true }).last().fill(text);
    const send = page.getByRole("button", { name: confirm }).last();
    await expect(send).toBeEnabled();
    await endSessions(user);
    await send.click();
    await expect(signInDialog(page)).toBeVisible();
    await expect(page.getByLabel(field, { exact: true }).first()).toHaveValue(text);
    expect(await count(reseller)).toBe(0);
    await signInAgain(signInDialog(page), user);
    await expect(signInDialog(page)).toHaveCount(0);
    await expect.poll(() => count(reseller)).toBe(1);
  });
}

for (const goOn of ["another user signs in", "the dialog is closed"] as const) {
  test(`an attempt without an answer whose session then ended is not called unsent when ${goOn}`, async ({
    page,
    login,
    reseller,
    tolerate,
  }) => {
    tolerate(EXPECTED);
    const user = await login(reseller);
    const colleague = await newUser(reseller.resellerId, "Kim Example");
    const { license_id } = await reseller.newLicense();
    await page.goto(`/licenses/${license_id}`);
    await page.getByRole("button", { name: "Renew" }).click();
    await page.route(
      `**/licenses/${license_id}`,
      async (route) => {
        await route.fetch();
        await endSessions(user);
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: /^Renew for/ }).click();
    await expect(signInDialog(page)).toBeVisible();
    if (goOn === "the dialog is closed") {
      await page.keyboard.press("Escape");
      const dialog = page.getByRole("dialog", { name: "Renew this license?" });
      await expect(dialog.getByRole("alert")).toContainText("It may have been done");
      await expect(dialog).not.toContainText("Nothing was");
    } else {
      await signInAgain(signInDialog(page), colleague);
      const other = page.getByRole("dialog", { name: "Your session has changed" });
      await expect(other).toContainText("got no answer and may have been done");
      await expect(other).not.toContainText("Nothing was");
    }
  });
}
