import { expectBalancedBooks, findAtProvider, readTraces } from "../support/books.ts";
import { expect, expectRefusal, onDesktop, test, untilHydrated } from "../support/dashboard.ts";
import {
  compareBooks,
  extendAtProvider,
  findCaseId,
  findUnknownCaseId,
  forgetAtProvider,
  furnishInbox,
  holdUnknownAtProvider,
  moveAtProvider,
} from "../support/inbox.ts";

test("the inbox lists what differs, filters by kind, and leads to the case", async ({ page, login, reseller }) => {
  await furnishInbox(reseller);
  await login("admin");
  await page.goto(`/reconciliation?reseller=${reseller.resellerId}`);
  const rows = page.getByRole("table", { name: "Cases" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await expect(page.getByRole("listitem").filter({ hasText: /^sandbox: compared/ })).toContainText(
    /, \d[\d,]* open cases?( \(comparing again now\))?$/,
  );
  // On phones it is behind "More".
  const main = page.getByRole("navigation", { name: "Main" });
  const entry = main.getByRole("link", { name: /Reconciliation/ }).or(main.getByRole("button", { name: /^More/ }));
  await expect(entry).toContainText(/\d/);
  const kinds = page.getByRole("navigation", { name: "Filter by kind" });
  await kinds.getByRole("link", { name: "Charged, not provisioned 1" }).click();
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/kind=charged_not_provisioned/);
  await rows.nth(1).getByRole("link").click();
  await expect(page.getByRole("region", { name: "Provider sandbox" })).toContainText("Does not have it");
  await expect(page.getByRole("region", { name: "Ledger", exact: true })).toContainText("$10.00");
});

test(
  "a difference appears when the books are compared, and goes when they agree again",
  onDesktop,
  async ({ page, login, reseller }) => {
    const address = reseller.newAddress();
    const license = await reseller.newLicense({ ip: address });
    const home = `/reconciliation?reseller=${reseller.resellerId}`;
    await login("admin");
    await page.goto(home);
    await expect(page.getByText("No case matches")).toBeVisible();
    await moveAtProvider(String(license.license_key), "203.0.113.9");
    const compare = page.getByRole("button", { name: "Compare now" });
    await expect(async () => {
      await compare.click();
      await expect(page.getByRole("table", { name: "Cases" })).toContainText("→ 203.0.113.9", { timeout: 2_000 });
    }).toPass();
    await moveAtProvider(String(license.license_key), address);
    await expect(async () => {
      await compare.click();
      await expect(page.getByText("No case matches")).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await page.goto(`${home}&state=resolved`);
    await expect(page.getByRole("table", { name: "Cases" })).toContainText("Agrees again");
  },
);

test("a refund says what it moves, wants a reason, is done once, and stays in the history", async ({
  page,
  login,
  reseller,
}) => {
  const license = await reseller.newLicense({ product: { price: 1450n } });
  await forgetAtProvider(String(license.license_key));
  await compareBooks();
  const caseId = await findCaseId(reseller.resellerId, "charged_not_provisioned");
  await login("admin");
  await page.goto(`/reconciliation/${caseId}`);
  const actions = page.getByRole("region", { name: "Actions" });
  await expect(actions).toContainText("Refunds $14.50.");
  await expect(actions).toContainText("Ask again: There is no open operation.");
  await actions.getByRole("button", { name: "Refund" }).click();
  const dialog = page.getByRole("dialog", { name: "Refund the money?" });
  await expect(dialog.getByLabel("Reason")).toBeFocused();
  await expect(dialog).toContainText("Available balance after$1,000.00");
  await dialog.getByRole("button", { name: "Refund $14.50 and terminate" }).click();
  await expect(dialog).toContainText("Say why: it is kept with the case.");
  await dialog.getByLabel("Reason").fill("The provider lost it, ticket 4711");
  await dialog.getByRole("button", { name: "Refund $14.50 and terminate" }).click();
  await expect(page.getByText("Closed: Refunded")).toBeVisible();
  const history = page.getByRole("region", { name: "History" });
  await expect(history).toContainText("The provider lost it, ticket 4711");
  await expect(history).toContainText("Robin Example");
  await expect(page.getByRole("region", { name: "Ledger entries" })).toContainText("+$14.50");
  expect((await readTraces(reseller.resellerId)).posted).toBe(100_000n);
  await expectBalancedBooks(reseller.resellerId);
  const { body } = await reseller.dispatch.get("license.info", { license_id: license.license_id });
  expect(body.data.status).toBe("terminated");
});

test(
  "of two admins the second is told that the first was there",
  onDesktop,
  async ({ page, context, login, reseller }) => {
    const address = reseller.newAddress();
    const license = await reseller.newLicense({ ip: address });
    await moveAtProvider(String(license.license_key), "203.0.113.10");
    await compareBooks();
    const caseId = await findCaseId(reseller.resellerId, "differs");
    await login("admin");
    const second = await context.newPage();
    for (const admin of [page, second]) {
      await admin.goto(`/reconciliation/${caseId}`);
      await untilHydrated(admin);
      await admin.getByRole("button", { name: "Adopt" }).click();
      await expect(admin.getByRole("dialog")).toContainText(`Address203.0.113.10 (was ${address})`);
      await admin.getByRole("dialog").getByLabel("Reason").fill("as agreed");
    }
    await page.getByRole("dialog").getByRole("button", { name: "Adopt" }).click();
    await expect(page.getByText("Closed: Adopted")).toBeVisible();
    await second.getByRole("dialog").getByRole("button", { name: "Adopt" }).click();
    await expect(second.getByRole("alert").filter({ hasText: "This case is closed already." })).toBeVisible();
    await second.getByRole("button", { name: "Cancel" }).click();
    await expect(second.getByText("Closed: Adopted")).toBeVisible();
  },
);

test(
  "an unknown outcome is asked about again, and settled by a clear answer",
  onDesktop,
  async ({ page, login, reseller }) => {
    await furnishInbox(reseller);
    await login("admin");
    await page.goto(`/reconciliation/${await findCaseId(reseller.resellerId, "unknown_outcome")}`);
    await expect(page.getByRole("region", { name: "Ledger", exact: true })).toContainText("Held");
    await expect(page.getByRole("region", { name: "Operation" })).toContainText("Outcome unknown");
    await expect(page.getByRole("region", { name: "Operation" })).toContainText(", e2e");
    await page.getByRole("button", { name: "Ask again" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("Their incident is over");
    await dialog.getByRole("button", { name: "Ask again" }).click();
    await expect(page.getByText("Closed: Settled by asking")).toBeVisible();
    await expect(page.getByRole("region", { name: "Operation" })).toContainText("Succeeded");
  },
);

test("a renewal that nobody paid says what it is worth, and is charged when an admin says so", async ({
  page,
  login,
  reseller,
}) => {
  const license = await reseller.newLicense({ product: { price: 1450n } });
  await extendAtProvider(String(license.license_key), 1);
  await compareBooks();
  await login("admin");
  await page.goto(`/reconciliation?reseller=${reseller.resellerId}`);
  await expect(page.getByRole("table", { name: "Cases" })).toContainText("$14.50 not paid");
  await expect(page.getByRole("table", { name: "Cases" })).toContainText(
    /[A-Z][a-z]{2} \d+, \d{4} UTC\s→ [A-Z][a-z]{2} \d+, \d{4} UTC/,
  );
  await page.goto(`/reconciliation/${await findCaseId(reseller.resellerId, "differs")}`);
  await expect(page.getByRole("region", { name: "Ledger", exact: true })).toContainText("At stake$14.50 not paid");
  await expect(page.getByRole("region", { name: "Provider sandbox" })).toContainText("Term ends, differs");
  const actions = page.getByRole("region", { name: "Actions" });
  await expect(actions).toContainText("Charges $14.50.");
  await expect(actions).toContainText("Refund: The provider does not provide less than what was charged.");
  await actions.getByRole("button", { name: "Adopt and charge" }).click();
  const dialog = page.getByRole("dialog", { name: "Adopt this, and charge it as a renewal?" });
  await expect(dialog).toContainText(/Term ends\w{3} \d{1,2}, \d{4} \(was \w{3} \d{1,2}, \d{4}\)/);
  await expect(dialog).toContainText("Available balance after$971.00");
  await dialog.getByLabel("Reason").fill("Renewed before the failover");
  await dialog.getByRole("button", { name: "Charge $14.50" }).click();
  await expect(page.getByText("Closed: Adopted")).toBeVisible();
  await expect(page.getByRole("region", { name: "Ledger entries" })).toContainText("−$14.50");
  await expectBalancedBooks(reseller.resellerId);
});

test("a license that nobody here knows is ended at the provider", async ({ page, login, reseller }) => {
  const license = await reseller.newLicense({ product: { price: 1450n } });
  const address = reseller.newAddress();
  const reference = await holdUnknownAtProvider({ licenseKey: String(license.license_key), address });
  await compareBooks();
  await login("admin");
  await page.goto(`/reconciliation/${await findUnknownCaseId(reference)}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(reference);
  await expect(page.getByRole("region", { name: "License Desk" })).toContainText("None with this key");
  await expect(page.getByRole("region", { name: "Provider sandbox" })).toContainText(address);
  await page.getByRole("button", { name: "End at provider" }).click();
  const dialog = page.getByRole("dialog", { name: "End it at the provider?" });
  await dialog.getByLabel("Reason").fill("Nobody claims it");
  await dialog.getByRole("button", { name: "End at provider" }).click();
  await expect(page.getByText("Closed: Corrected at the provider")).toBeVisible();
  expect((await findAtProvider(reference))?.state).toBe("terminated");
});

test("the inbox of cases is closed to a reseller's user", onDesktop, async ({ page, login, reseller, tolerate }) => {
  tolerate(/status of 403/);
  await login(reseller);
  for (const path of ["/reconciliation", "/reconciliation/1"]) await expectRefusal(page, path, "administrators");
});
