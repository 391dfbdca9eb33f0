import { getRuntime } from "#lib/runtime.ts";
import { expect, loseAnswers, onDesktop, shownBalance, test } from "../support/dashboard.ts";
import type { Reseller } from "../support/world.ts";
import { setLicense } from "../support/world.ts";

/** A license with a core at $6.50 a month, bought today. */
function buyMetered(reseller: Reseller) {
  return reseller.newLicense({ product: { price: 1800n, pricePerCore: 650n } });
}

test("an address is changed from the license's page, after saying what moves and that it is free (contract 3.5)", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const [present, taken] = [reseller.newAddress(), reseller.newAddress()];
  const license = await reseller.newLicense({ ip: present });
  await reseller.dispatch.post("license.register", {
    product_id: license.product_id,
    cycle_id: license.cycle_id,
    ip_address: taken,
  });
  const target = reseller.newAddress();
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "Change IP" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the IP?" });
  await dialog.getByLabel("New address").fill(present);
  await expect(dialog.getByLabel("New address")).toHaveAccessibleDescription(/This is the present address/);
  await expect(dialog.getByRole("button", { name: "Change IP" })).toBeDisabled();
  await dialog.getByLabel("New address").fill(taken);
  await expect(dialog.getByRole("listitem")).toContainText(`to ${taken}`);
  await expect(dialog).toContainText("CostFree");
  await dialog.getByRole("button", { name: "Change IP" }).click();
  await expect(dialog.getByLabel("New address")).toHaveAccessibleDescription(/already has a live license/);
  await dialog.getByLabel("New address").fill(target);
  await dialog.getByRole("button", { name: "Change IP" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText(`Moved to ${target}`);
  await expect(page.getByRole("region", { name: "License", exact: true })).toContainText(target);
});

test("a member of a bundle leads to the bundle's change of address", onDesktop, async ({ page, login, reseller }) => {
  await login(reseller);
  const bundle = await reseller.newBundle([{}, {}], { price: 2000n });
  const { body } = await reseller.dispatch.post("bundle.register", {
    bundle_id: bundle.bundle_id,
    cycle_id: bundle.cycle_id,
    ip_address: reseller.newAddress(),
  });
  await page.goto(`/licenses/${body.data.licenses[0]?.license_id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await expect(page.getByRole("menuitem", { name: "Move everything on this server" })).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Terminate" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Change it for the whole bundle" }).click();
  await expect(page.getByRole("dialog", { name: "Change the IP?" })).toContainText("All licenses of the bundle");
});

test("cores are priced while the number is typed, and charged as was said (contract 3.6)", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await buyMetered(reseller);
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "Change cores" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Change cores" })).toBeDisabled();
  const dialog = page.getByRole("dialog", { name: "Change the cores?" });
  await dialog.getByLabel("Cores").fill("33");
  await dialog.getByRole("button", { name: "Change cores" }).click();
  await expect(dialog.getByLabel("Cores")).toHaveAccessibleDescription(/must be a whole number from 1 to 32/);
  await dialog.getByLabel("Cores").fill("3");
  await expect(dialog).toContainText("Charged now$13.00");
  await expect(dialog).toContainText("Each renewal$31.00 per month");
  await expect(dialog).toContainText("Available balance after$969.00");
  await dialog.getByRole("button", { name: "Change for $13.00" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Available balance: $969.00.");
  await expect(shownBalance(page)).toContainText("$969.00");
  await page.getByRole("button", { name: "Change cores" }).click();
  await dialog.getByLabel("Cores").fill("2");
  // Half of what two cores were charged, less the seconds since, rounded down.
  await expect(dialog).toContainText("Credited now$6.49");
  await dialog.getByRole("button", { name: "Change and get $6.49" }).click();
  await expect(shownBalance(page)).toContainText("$975.49");
});

test(
  "a suspension that does not reach the provider changes nothing, and is not called refused or uncharged",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { license_id } = await reseller.newLicense();
    await setLicense(license_id, { movedTo: "192.0.2.60" });
    await page.goto(`/licenses/${license_id}`);
    await page.getByRole("button", { name: "Suspend" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Suspend", exact: true }).click();
    await expect(dialog.getByRole("alert")).toHaveText(
      "The provider cannot be reached. Nothing was changed. Try again later.",
    );
    await page.reload();
    await expect(page.getByRole("region", { name: "History" })).toContainText("Suspension: failed");
  },
);

test(
  "a change of cores that the provider rejects says beside the reason that nothing was charged",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { license_id } = await buyMetered(reseller);
    await setLicense(license_id, { movedTo: "192.0.2.10" });
    await page.goto(`/licenses/${license_id}`);
    await page.getByRole("button", { name: "Change cores" }).click();
    const dialog = page.getByRole("dialog", { name: "Change the cores?" });
    await dialog.getByLabel("Cores").fill("2");
    await dialog.getByRole("button", { name: "Change for $6.50" }).click();
    await expect(dialog.getByLabel("Cores")).toHaveAccessibleDescription(/The provider rejected/);
    await expect(dialog.getByText("Nothing was charged.")).toBeVisible();
    await expect(shownBalance(page)).toContainText("$982.00");
  },
);

test("a license is ended for good only when its id is typed", async ({ page, login, reseller }) => {
  await login(reseller);
  const license = await reseller.newLicense();
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Terminate" }).click();
  const dialog = page.getByRole("dialog", { name: `Terminate lic_${license.license_id}?` });
  await expect(dialog).toContainText("RefundNone");
  await dialog.getByLabel(/^Type lic_/).fill("lic_");
  await dialog.getByRole("button", { name: "Terminate for good" }).click();
  await expect(dialog.getByLabel(/^Type lic_/)).toHaveAccessibleDescription(
    `Type lic_${license.license_id} to confirm.`,
  );
  await expect(dialog.getByLabel(/^Type lic_/)).toBeFocused();
  await dialog.getByLabel(/^Type lic_/).fill(`lic_${license.license_id}`);
  await dialog.getByRole("button", { name: "Terminate for good" }).click();
  await expect(page.getByText("register a new license instead")).toBeVisible();
  await expect(page.getByRole("region", { name: "History" })).toContainText("Terminated");
  const verdict = await reseller.path.post("/license/verify", { license_key: license.license_key });
  expect(verdict.body.code).toBe("TERMINATED");
});

test("notes are edited where they stand, and the edit can be undone", async ({ page, login, reseller }) => {
  await login(reseller);
  const license = await reseller.newLicense({ notes: "Rack 12" });
  await page.goto(`/licenses/${license.license_id}`);
  const facts = page.getByRole("region", { name: "License", exact: true });
  await facts.getByRole("button", { name: "Edit notes" }).click();
  await expect(facts.getByLabel("Notes")).toBeFocused();
  await facts.getByLabel("Notes").fill("Rack 13");
  await page.keyboard.press("Control+Enter");
  await expect(facts.getByText("Rack 13")).toBeVisible();
  await expect(facts.getByRole("button", { name: "Edit notes" })).toBeFocused();
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).click();
  await expect(facts.getByText("Rack 12")).toBeVisible();
});

test("only the last edit of a license's values offers to be undone", onDesktop, async ({ page, login, reseller }) => {
  await login(reseller);
  const license = await reseller.newLicense({ notes: "Rack 1" });
  await page.goto(`/licenses/${license.license_id}`);
  const facts = page.getByRole("region", { name: "License", exact: true });
  const toasts = page.getByRole("region", { name: "Notifications" });
  const edit = async (name: string, text: string) => {
    await facts.getByRole("button", { name: `Edit ${name}` }).click();
    await facts.getByLabel(new RegExp(name, "i")).fill(text);
    await page.keyboard.press("Control+Enter");
    await expect(facts.getByText(text)).toBeVisible();
    await expect(toasts.getByText(/ saved$/)).toHaveText(new RegExp(name, "i"));
  };
  await edit("tags", "vip");
  await edit("notes", "Rack 2");
  await edit("notes", "Rack 3");
  await toasts.getByRole("button", { name: "Undo" }).click();
  await expect(facts.getByText("Rack 2")).toBeVisible();
  await expect(toasts.getByRole("button", { name: "Undo" })).toHaveCount(0);
});

test(
  "what was decided by an outdated page is not done; by the present one it is",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const license = await reseller.newLicense({ product: { price: 1000n } });
    await page.goto(`/licenses/${license.license_id}`);
    await page.getByRole("button", { name: "Renew" }).click();
    const dialog = page.getByRole("dialog", { name: "Renew this license?" });
    await expect(dialog).toContainText("Available balance after$980.00");
    await reseller.dispatch.post("license.renew", { license_id: license.license_id });
    await dialog.getByRole("button", { name: "Renew for $10.00" }).click();
    await expect(dialog.getByRole("alert")).toContainText("has changed since you opened this page");
    await expect(dialog).toContainText("Available balance after$970.00");
    const where = { licenseId: license.license_id, kind: "license_renew" } as const;
    expect(await getRuntime().db.prisma.operation.count({ where })).toBe(1);
    await dialog.getByRole("button", { name: "Renew for $10.00" }).click();
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Available balance: $970.00.");
  },
);

test(
  "what came too late says that it was not done, though the page has no place for it any more",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { license_id } = await reseller.newLicense();
    await page.goto(`/licenses/${license_id}`);
    await page.getByRole("button", { name: "Renew" }).click();
    await setLicense(license_id, "terminated");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Renew for/ }).click();
    await expect(page.getByText("It cannot be renewed")).toBeVisible();
    await expect(dialog).toHaveCount(0);
    const toasts = page.getByRole("region", { name: "Notifications" });
    await expect(toasts).toContainText("That was not done");
    await expect(toasts).toContainText("This license is terminated.");
  },
);

test(
  "a form that was left before an answer came does not promise that another try is the same request",
  onDesktop,
  async ({ page, login, reseller, tolerate }) => {
    tolerate(/ERR_FAILED/);
    await login(reseller);
    await reseller.newLicense();
    await page.goto("/licenses");
    await page.locator("[data-row-link]").first().click();
    await page.getByRole("button", { name: "Renew" }).click();
    const dialog = page.getByRole("dialog");
    await loseAnswers(page, async () => {
      const lost = page.waitForEvent("requestfailed", (request) => request.method() === "POST");
      await dialog.getByRole("button", { name: /^Renew for/ }).click();
      await lost;
      await page.goBack();
      await expect(dialog).toHaveCount(0);
    });
    const toasts = page.getByRole("region", { name: "Notifications" });
    await expect(toasts).toContainText("It may have been done. Look before you try again.");
    await expect(toasts).not.toContainText("never carried out twice");
  },
);
