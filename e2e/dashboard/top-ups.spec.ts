import type { ResellerId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import { decideTopUp } from "#lib/services/wallet/decide-top-up.ts";
import { requestTopUp } from "#lib/services/wallet/request-top-up.ts";
import { expect, expectRefusal, followHeaderLink, onDesktop, shownBalance, test } from "../support/dashboard.ts";
import { adminContext, type Reseller } from "../support/world.ts";

/** As the reseller's own user would; under a name to find it by, among those of all other tests. */
async function ask(reseller: Reseller, amount: string, reference: string) {
  const name = `Hosting ${reseller.resellerId}`;
  await getRuntime().db.prisma.reseller.update({ where: { id: reseller.resellerId }, data: { name } });
  const request = await requestTopUp(adminContext(reseller.resellerId as ResellerId), {
    amount,
    reference,
    method: "bank_transfer",
    note: "Invoice 9",
  });
  return { name, request };
}

test("a reseller requests a top-up and follows it", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/wallet");
  await page.getByRole("button", { name: "Request top-up" }).click();
  const dialog = page.getByRole("dialog", { name: "Request a top-up" });
  await dialog.getByLabel("Amount in USD").fill("250");
  await expect(dialog).toContainText("Available balance once credited$1,250.00");
  await dialog.getByLabel("Paid by").selectOption("Card");
  await dialog.getByLabel("Reference", { exact: true }).fill("");
  await dialog.getByRole("button", { name: "Request $250.00" }).click();
  await expect(dialog.getByLabel("Reference", { exact: true })).toHaveAccessibleDescription(/Reference is required/);
  await dialog.getByLabel("Reference", { exact: true }).fill("TR-2027-1");
  await dialog.getByRole("button", { name: "Request $250.00" }).click();
  await expect(dialog).toHaveCount(0);
  const requests = page.getByRole("region", { name: "Top-up requests" });
  await expect(requests).toContainText("TR-2027-1, card");
  await expect(requests).toContainText("Waiting");
  await expect(shownBalance(page)).toContainText("$1,000.00");
  await requests.getByRole("link", { name: "All requests" }).click();
  await expect(page.getByRole("table", { name: "Top-up requests" })).toContainText("TR-2027-1");
  await page.getByRole("link", { name: "Declined" }).click();
  await expect(page.getByText("No request is in this state.")).toBeVisible();
  await page.getByRole("link", { name: "Request top-up" }).click();
  await expect(dialog.getByLabel("Amount in USD")).toHaveValue("");
});

test("a reseller reads how to pay, copies the reference for the payment, and requests with it", async ({
  page,
  context,
  login,
  newReseller,
  isMobile,
}) => {
  // Of one currency, the second of two admins would be refused.
  const currency = isMobile ? "DKK" : "NOK";
  const reseller = await newReseller({ currency, funds: "0" });
  // The only currency would be unfolded.
  await newReseller({ currency: "USD" });
  await login("admin");
  await page.goto("/top-ups");
  await followHeaderLink(page, "Payment settings");
  const setting = page.getByRole("region", { name: currency });
  await setting.getByText("Confirm above").click();
  await setting.getByLabel("Payment instructions").fill("Transfer to NO93 8601 1117 947.\nNorthbank");
  await setting.getByLabel("Issuer of statements").fill("Northbank AS\nKarl Johans gate 1, Oslo");
  await setting.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText(
    `Payment settings of ${currency} saved`,
  );
  await login(reseller);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/wallet?top-up=");
  const dialog = page.getByRole("dialog", { name: "Request a top-up" });
  const guide = dialog.getByRole("region", { name: "How to pay" });
  await expect(guide).toContainText("Transfer to NO93 8601 1117 947.");
  const reference = `LD-${reseller.resellerId}-1`;
  await dialog.getByRole("button", { name: "Copy reference" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(reference);
  await dialog.getByLabel(`Amount in ${currency}`).fill("5.000,50");
  await dialog.getByRole("button", { name: new RegExp(`^Request ${currency}.5,000\\.50$`) }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Top-up requests" })).toContainText(reference);
  await page.goto("/wallet/statement");
  await expect(page.getByRole("article", { name: "Statement" })).toContainText("Karl Johans gate 1, Oslo");
});

test(
  "a reference is good for one request, and the second is refused beside its field",
  onDesktop,
  async ({ page, login, reseller }) => {
    await ask(reseller, "50", "TR-1");
    await login(reseller);
    await page.goto("/wallet?top-up=50.00");
    const dialog = page.getByRole("dialog", { name: "Request a top-up" });
    await dialog.getByLabel("Reference", { exact: true }).fill("TR-1");
    await dialog.getByRole("button", { name: "Request $50.00" }).click();
    await expect(dialog.getByLabel("Reference", { exact: true })).toHaveAccessibleDescription(
      /Reference was used before/,
    );
  },
);

test("an admin credits a request, sees the balance after it first, and it is credited once", async ({
  page,
  login,
  reseller,
}) => {
  const { name } = await ask(reseller, "120.50", "TR-7");
  await login("admin");
  await page.goto("/top-ups");
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("$120.50");
  await row.getByRole("button", { name: "Credit" }).click();
  const dialog = page.getByRole("dialog", { name: "Credit this payment?" });
  await expect(dialog).toContainText("Available balance now$1,000.00");
  await expect(dialog).toContainText("Available balance after$1,120.50");
  await dialog.getByRole("button", { name: "Credit $120.50" }).dblclick();
  await expect(row).toHaveCount(0);
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(1120.5);
  await page.getByRole("link", { name: "Credited" }).click();
  await expect(page).toHaveURL(/state=approved/);
  await expect(page.getByRole("row").filter({ hasText: name })).toBeVisible();
});

test(
  "the focus goes on to the next request when the decided one leaves the list",
  onDesktop,
  async ({ page, login, reseller }) => {
    await ask(reseller, "20", "TR-13");
    const { name } = await ask(reseller, "30", "TR-14");
    await login("admin");
    await page.goto("/top-ups");
    const row = page.getByRole("row").filter({ hasText: name }).filter({ hasText: "TR-14" });
    await row.getByRole("button", { name: "Decline" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Decline this request?" });
    await dialog.getByLabel("Reason").fill("It has not arrived.");
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(row).toHaveCount(0);
    await expect(page.locator(":focus")).toHaveAccessibleName(/^Decline /);
  },
);

test("an admin credits what has arrived, and the reseller reads why it is not what was requested", async ({
  page,
  login,
  reseller,
}) => {
  const { name } = await ask(reseller, "150", "TR-11");
  await login("admin");
  await page.goto("/top-ups");
  await page.getByRole("row").filter({ hasText: name }).getByRole("button", { name: "Credit" }).click();
  const dialog = page.getByRole("dialog", { name: "Credit this payment?" });
  await dialog.getByLabel("Amount in USD").fill("1,405");
  await dialog.getByRole("button", { name: "Credit", exact: true }).click();
  await expect(dialog.getByLabel("Amount in USD")).toHaveAccessibleDescription(/type 1405, or at most 2 decimals/);
  await dialog.getByLabel("Amount in USD").fill("140,50");
  await expect(dialog).toContainText("Available balance after$1,140.50");
  await dialog.getByRole("button", { name: "Credit $140.50" }).click();
  await expect(dialog.getByLabel("Reason")).toHaveAccessibleDescription(/is required/);
  await dialog.getByLabel("Reason").fill("The bank kept a fee.");
  await dialog.getByRole("button", { name: "Credit $140.50" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("$140.50 credited");
  await login(reseller);
  await page.goto("/wallet");
  await expect(shownBalance(page)).toContainText("$1,140.50");
  const requests = page.getByRole("region", { name: "Top-up requests" });
  await expect(requests).toContainText("$140.50of $150.00 requested");
  await expect(requests).toContainText("The bank kept a fee.");
});

for (const { currency, typed, shown } of [
  { currency: "USD", typed: "10000.01", shown: "$10,000.01" },
  { currency: "JPY", typed: "98,765,432,109", shown: "¥98,765,432,109" },
]) {
  test(
    `an admin is asked before a large amount of ${currency} is credited or adjusted`,
    onDesktop,
    async ({ page, login, newReseller }) => {
      const reseller = await newReseller({ currency, funds: "0" });
      await login("admin");
      await page.goto(`/resellers/${reseller.resellerId}/wallet`);
      await page.getByRole("button", { name: "Top up" }).click();
      const form = page.getByRole("dialog", { name: "Top up the wallet" });
      await form.getByLabel(`Amount in ${currency}`).fill(typed);
      await expect(form).toContainText(`Available balance after${shown}`);
      const credit = form.getByRole("button", { name: `Top up by ${shown}` });
      await credit.click();
      await expect(form.getByRole("alert").filter({ hasText: `${shown} is more than` })).toBeVisible();
      expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(0);
      await form.getByRole("checkbox", { name: `${shown} is intended` }).check();
      await credit.click();
      await expect(page.getByRole("region", { name: "Notifications" })).toContainText(`The balance is now ${shown}`);

      await page.getByRole("button", { name: "Adjust balance" }).click();
      const dialog = page.getByRole("dialog", { name: "Adjust the balance" });
      await dialog.getByRole("radio", { name: "Take money" }).check();
      await dialog.getByLabel(`Amount in ${currency}`).fill(typed);
      await dialog.getByLabel("Reason").fill("Credited to the wrong reseller.");
      const adjust = dialog.getByRole("button", { name: `Take ${shown}` });
      await adjust.click();
      await expect(dialog.getByRole("alert").filter({ hasText: `${shown} is more than` })).toBeVisible();
      await dialog.getByRole("checkbox", { name: `−${shown} is intended` }).check();
      await adjust.click();
      await expect(dialog).toHaveCount(0);
      expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(0);
    },
  );
}

test("an admin declines with a note that the reseller reads", async ({ page, login, reseller }) => {
  const { name } = await ask(reseller, "75", "TR-8");
  await login("admin");
  await page.goto("/top-ups");
  await page.getByRole("row").filter({ hasText: name }).getByRole("button", { name: "Decline" }).click();
  const dialog = page.getByRole("dialog", { name: "Decline this request?" });
  await expect(dialog.getByLabel("Reason")).toBeFocused();
  await dialog.getByRole("button", { name: "Decline", exact: true }).click();
  await expect(dialog.getByLabel("Reason")).toHaveAccessibleDescription(/is required/);
  await dialog.getByLabel("Reason").fill("No such payment has arrived.");
  await dialog.getByRole("button", { name: "Decline", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await login(reseller);
  await page.goto("/wallet");
  const requests = page.getByRole("region", { name: "Top-up requests" });
  await expect(requests).toContainText("Declined");
  await expect(requests).toContainText("No such payment has arrived.");
  await expect(shownBalance(page)).toContainText("$1,000.00");
});

test("of two admins the second is told that it has been decided", onDesktop, async ({ page, login, reseller }) => {
  const { name, request } = await ask(reseller, "60", "TR-9");
  await login("admin");
  await page.goto("/top-ups");
  await page.getByRole("row").filter({ hasText: name }).getByRole("button", { name: "Credit" }).click();
  await decideTopUp(adminContext(reseller.resellerId as ResellerId), { requestId: request.id, decision: "approve" });
  await page.getByRole("dialog").getByRole("button", { name: "Credit $60.00" }).click();
  await expect(page.getByText("This request has been decided already.")).toBeVisible();
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(1060);
});

test(
  "a reseller is told when the balance falls below its threshold, until it wants that no more",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    await page.goto("/wallet");
    const setting = page.getByRole("region", { name: "Low balance warning" });
    await setting.getByText("None").click();
    await expect(setting.getByRole("link", { name: "add one under Webhooks" })).toHaveAttribute("href", "/webhooks");
    await setting.getByLabel("Threshold in USD").fill("1.005");
    await setting.getByRole("button", { name: "Save" }).click();
    await expect(setting.getByLabel("Threshold in USD")).toHaveAccessibleDescription(
      /has two meanings: type 1005, or at most 2 decimals/,
    );
    await setting.getByLabel("Threshold in USD").fill("100");
    await setting.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText(
      "You will be notified below $100.00",
    );
    await page.reload();
    await setting.getByText("Below $100.00").click();
    await expect(setting.getByLabel("Threshold in USD")).toHaveValue("100.00");
    await setting.getByRole("button", { name: "No warning" }).click();
    await expect(setting.getByLabel("Threshold in USD")).toHaveValue("");
    await expect(setting.getByRole("button", { name: "No warning" })).toHaveCount(0);
  },
);

test(
  "the inbox is closed to resellers, and a reseller's own pages to admins",
  onDesktop,
  async ({ page, login, reseller, tolerate }) => {
    tolerate(/status of 403/);
    await login(reseller);
    await expectRefusal(page, "/top-ups", "administrators");
    await login("admin");
    for (const path of ["/wallet/top-ups", "/bundles", "/bundles/new", "/bundles/1"]) {
      await expectRefusal(page, path, "resellers");
    }
  },
);
