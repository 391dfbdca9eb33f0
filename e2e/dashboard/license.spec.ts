import { getRuntime } from "#lib/runtime.ts";
import { expect, onDesktop, shownBalance, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { reconcile, setLicense } from "../support/world.ts";

test("a license's page tells what is known of it and how a server verifies it", async ({ page, login, reseller }) => {
  await login(reseller);
  const license = await reseller.newLicense({ notes: "Rack 12\nsecond line" });
  await page.goto(`/licenses/${license.license_id}`);
  await expect(page).toHaveTitle(`License lic_${license.license_id} · License Desk`);
  const facts = page.getByRole("region", { name: "License" });
  await expect(facts).toContainText(String(license.license_key));
  await expect(facts).toContainText("Rack 12");
  await expect(facts).toContainText("$10.00 per month");
  await expect(page.getByRole("region", { name: "Verify" })).toContainText(`"license_key":"${license.license_key}"`);
  await expect(page.getByRole("region", { name: "History" })).toContainText("Registered");
  await expect(page.getByRole("region", { name: "History" })).toContainText("−$10.00");
});

test("a renewal shows price, new expiry and balance first, then does exactly that (contract 3.4)", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense({ product: { price: 1450n } });
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "Renew" }).click();
  const dialog = page.getByRole("dialog", { name: "Renew this license?" });
  await expect(dialog).toContainText("Charged now$14.50");
  await expect(dialog).toContainText("Available balance now$985.50");
  await expect(dialog).toContainText("Available balance after$971.00");
  const promised = await dialog.getByRole("time").or(dialog.locator("time")).last().getAttribute("datetime");
  await dialog.getByRole("button", { name: "Renew for $14.50" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Available balance: $971.00.");
  await expect(shownBalance(page)).toContainText("$971.00");
  await expect(page.getByRole("region", { name: "History" })).toContainText("Renewed");
  const { body } = await reseller.dispatch.get("license.info", { license_id: license.license_id });
  expect(new Date(String(body.data.expires_at)).toISOString()).toBe(promised);
});

test("another billing cycle shows its own price and becomes the license's", async ({ page, login, reseller }) => {
  await login(reseller);
  const license = await reseller.newLicense({ product: { price: 1000n } });
  await reseller.newCycle(license.product_id, { months: 12, price: 9900n });
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "Renew" }).click();
  await page.getByRole("combobox", { name: "Billing cycle" }).selectOption({ label: "12 months, $99.00" });
  await page.getByRole("button", { name: "Renew for $99.00" }).click();
  await expect(shownBalance(page)).toContainText("$891.00");
  await expect(page.getByRole("region", { name: "License" })).toContainText("$99.00 per year");
});

test(
  "a renewal that the balance does not cover is refused, and says that nothing was charged",
  onDesktop,
  async ({ page, login, newReseller }) => {
    const reseller = await newReseller({ funds: "15" });
    await login(reseller);
    const license = await reseller.newLicense({ product: { price: 1000n } });
    await page.goto(`/licenses/${license.license_id}`);
    await page.getByRole("button", { name: "Renew" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Needs $5.00 more");
    await dialog.getByRole("button", { name: "Renew for $10.00" }).click();
    await expect(dialog.getByRole("alert")).toContainText(
      "$10.00 is needed and $5.00 is available. Top up $5.00.Nothing was charged.",
    );
    await expect(dialog.getByRole("link", { name: "Top up" })).toHaveAttribute("href", "/wallet?top-up=5.00");
    await expect(shownBalance(page)).toContainText("$5.00");
  },
);

test("a license is suspended with a reason, and the suspension lifted (contract 3.7)", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense();
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByLabel("Reason").fill("Payment overdue");
  await page.getByRole("dialog").getByRole("button", { name: "Suspend", exact: true }).click();
  await expect(page.getByText("Suspended by you")).toBeVisible();
  await expect(page.getByRole("main")).toContainText("“Payment overdue”");
  const verdict = await reseller.path.post("/license/verify", { license_key: license.license_key });
  expect(verdict.body.code).toBe("SUSPENDED");
  await page.getByRole("button", { name: "Lift suspension" }).click();
  await expect(page.getByText("Suspended by you")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Suspend" })).toBeVisible();
});

test(
  "a suspended license whose term has ended is said to stay expired when its suspension is lifted",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const license = await reseller.newLicense();
    await reseller.dispatch.post("license.suspend", { license_id: license.license_id });
    await setLicense(license.license_id, { expiredDays: 1 });
    await page.goto(`/licenses/${license.license_id}`);
    const note = page.getByText("Its term has ended: it stays expired until it is renewed.");
    await expect(note).toHaveCount(1);
    await inspect(page, "license-suspended-ended");
    await page.getByRole("button", { name: "Lift suspension" }).click();
    await expect(page.getByText("Suspended by you")).toHaveCount(0);
    await expect(note).toBeVisible();
  },
);

test("a reason that is too long stands beside its field", onDesktop, async ({ page, login, reseller }) => {
  await login(reseller);
  const license = await reseller.newLicense();
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByLabel("Reason").fill("x".repeat(1001));
  await page.getByRole("dialog").getByRole("button", { name: "Suspend", exact: true }).click();
  await expect(page.getByLabel("Reason")).toHaveAccessibleDescription(/must be text of at most 1000 characters/);
});

test(
  "what an admin suspended, its reseller cannot lift (contract 1.15)",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const license = await reseller.newLicense();
    await getRuntime().db.prisma.license.updateMany({
      where: { id: license.license_id },
      data: { suspendedAt: new Date(), suspendedBy: "admin", suspensionReason: "Abuse report" },
    });
    await page.goto(`/licenses/${license.license_id}`);
    await expect(page.getByText("Suspended by an administrator")).toBeVisible();
    await expect(page.getByRole("button", { name: "Lift suspension" })).toHaveCount(0);
  },
);

test(
  "a change that the provider has not confirmed is named with its start and its money, and its end is told",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const license = await reseller.newLicense({ product: { price: 1000n } });
    await getRuntime().db.prisma.license.updateMany({
      where: { id: license.license_id },
      data: { ipAddress: "192.0.2.20" },
    });
    await page.goto(`/licenses/${license.license_id}`);
    await page.getByRole("button", { name: "Renew" }).click();
    await page.getByRole("button", { name: "Renew for $10.00" }).click();
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Renewal not confirmed yet");
    const notice = page.getByText(/^Started .*\d:\d\d.*, \$10\.00 held\. The provider is asked/);
    await expect(notice).toBeVisible();
    await expect(page.getByRole("button", { name: "Renew" })).toHaveCount(0);
    await expect(shownBalance(page)).toContainText("1 pending");
    const open = await getRuntime().db.prisma.operation.findFirstOrThrow({
      where: { licenseId: license.license_id, kind: "license_renew" },
    });
    expect(await reconcile(open.id)).toBe("succeeded");
    await page.reload();
    await expect(notice).toHaveCount(0);
    await expect(page.getByRole("region", { name: "History" })).toContainText("settled by asking the provider");
  },
);

test("an expired license says what renewing does; a terminated one that it is over", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const expired = await reseller.newLicense();
  await setLicense(expired.license_id, { expiredDays: 9 });
  await page.goto(`/licenses/${expired.license_id}`);
  await expect(page.getByText("Renewing it starts a new term today.")).toBeVisible();
  await expect(page.getByText("/license/verify")).toBeVisible();
  await expect(page.getByRole("button", { name: "Renew" })).toBeVisible();
  await setLicense(expired.license_id, "terminated");
  await page.reload();
  await expect(page.getByText("register a new license instead")).toBeVisible();
  await expect(page.getByText("/license/verify")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Renew" })).toHaveCount(0);
});

test("a member of a bundle renews with it", onDesktop, async ({ page, login, reseller }) => {
  await login(reseller);
  const bundle = await reseller.newBundle([{}, {}], { price: 2000n });
  const { body } = await reseller.dispatch.post("bundle.register", {
    bundle_id: bundle.bundle_id,
    cycle_id: bundle.cycle_id,
    ip_address: reseller.newAddress(),
  });
  const [member] = body.data.licenses;
  await page.goto(`/licenses/${member?.license_id}`);
  await expect(page.getByRole("region", { name: "License" })).toContainText("renews with it");
  await expect(page.getByRole("region", { name: "History" })).toContainText("whole bundle");
  await expect(page.getByRole("button", { name: "Renew" })).toHaveCount(0);
});
