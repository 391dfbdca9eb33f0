import type { BrowserContext, Page } from "@playwright/test";
import type { UserId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import { setPrice } from "#lib/services/catalog/set-price.ts";
import { updateProduct } from "#lib/services/catalog/update-product.ts";
import { setPriceRules } from "#lib/services/renewals/set-price-rules.ts";
import { updateReseller } from "#lib/services/reseller/settings.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { updateWebhookEndpoint } from "#lib/services/webhook/update.ts";
import { expect, test } from "../support/dashboard.ts";
import { CURRENCY, newMark, newOffer } from "../support/offers.ts";
import { systemContext } from "../support/world.ts";

/** Presses, and sends what the browser was about to send twice at once before the browser does; what the two were answered. */
async function sendTwice(context: BrowserContext, page: Page, press: () => Promise<void>): Promise<string[]> {
  const answers = new Promise<string[]>((resolve) => {
    let held = false;
    void page.route("**", async (route) => {
      const request = route.request();
      const { "next-action": action, "content-type": type = "" } = request.headers();
      if (held || request.method() !== "POST" || action === undefined) return route.fallback();
      held = true;
      const send = async () => {
        const answer = await context.request.post(request.url(), {
          headers: { "next-action": action, "content-type": type },
          data: request.postDataBuffer() ?? "",
        });
        return answer.text();
      };
      resolve(await Promise.all([send(), send()]));
      await route.fallback();
    });
  });
  await press();
  return answers;
}

test("a form that reaches us twice at once makes one product, and whoever asks again is shown that one", async ({
  page,
  context,
  login,
}) => {
  const type = `twice_${newMark()}`;
  await login("admin");
  await page.goto("/catalog/products/new");
  await page.getByLabel("Name", { exact: true }).fill("Twice");
  await page.getByLabel("Type").fill(type);
  await page.getByLabel("Provider's code").fill(type);
  const answers = await sendTwice(context, page, () => page.getByRole("button", { name: "Add product" }).click());
  // The browser's own comes third, and is answered as the first was.
  await expect(page).toHaveURL(/\/catalog\/products\/\d+$/);
  const [id] = /\d+$/.exec(page.url()) ?? [];
  const made = `"href":"/catalog/products/${id}"`;
  expect(answers.some((answer) => answer.includes(made))).toBe(true);
  for (const answer of answers) expect(answer).toMatch(new RegExp(`${made}|idempotency_in_progress`));
  const { auditEntry } = getRuntime().db.prisma;
  expect(await auditEntry.count({ where: { subject: `product:${id}`, action: "catalog.create_product" } })).toBe(1);
});

test("a form that reaches us twice at once makes one reseller with one person, and their link is in no stored answer", async ({
  page,
  context,
  login,
}) => {
  const email = `${newMark()}@twice.example`;
  await login("admin");
  await page.goto("/resellers/new");
  await page.getByLabel("Name", { exact: true }).fill("Twice Hosting");
  await page.getByLabel("Currency").selectOption(CURRENCY);
  await page.getByLabel("First user").fill("Robin Example");
  await page.getByLabel("Email").fill(email);
  const answers = await sendTwice(context, page, () => page.getByRole("button", { name: "Create reseller" }).click());
  await expect(page.getByRole("heading", { name: "The reseller is created" })).toBeVisible();
  const { reseller, user, adminIdempotencyRecord } = getRuntime().db.prisma;
  expect(await reseller.count({ where: { email } })).toBe(1);
  expect(await user.count({ where: { email } })).toBe(1);
  const [, token] = answers.map((answer) => /set-password#([\w-]+)/.exec(answer)).find(Boolean) ?? [];
  expect(token).toBeDefined();
  const kept = await adminIdempotencyRecord.findMany({ where: { body: { contains: email } } });
  expect(kept).toHaveLength(1);
  expect(kept[0]?.body).not.toContain(token);
});

test("what another admin has changed meanwhile is not overwritten unseen: the form says what it is now, and keeps what was typed", async ({
  page,
  login,
}) => {
  const { productId, type } = await newOffer({ name: "Mail Gateway", description: "As it was." });
  await login("admin");
  await page.goto(`/catalog/products/${productId}/edit`);
  await page.getByLabel("Description").fill("Mine.");
  await updateProduct(systemContext(), {
    productId,
    name: "Mail Filter",
    description: "As it was.",
    coreMetered: false,
    workers: 0,
    provider: "sandbox",
    providerSku: type,
  });
  await page.getByRole("button", { name: "Save changes" }).click();
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("This product has changed since you opened this page.");
  await expect(alert).toContainText("Name now:Mail Filter");
  await expect(alert).not.toContainText("Description now");
  await expect(page.getByLabel("Description")).toHaveValue("Mine.");
  const { product } = getRuntime().db.prisma;
  expect(await product.findUnique({ where: { id: productId } })).toMatchObject({ name: "Mail Filter" });
  await page.getByLabel("Name", { exact: true }).fill("Mail Filter");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(/\/catalog\/products\/\d+$/);
  expect(await product.findUnique({ where: { id: productId } })).toMatchObject({
    name: "Mail Filter",
    description: "Mine.",
  });
});

test("a price that another admin has set meanwhile is shown where the new one is typed, and set only then", async ({
  page,
  login,
}) => {
  const { productId, cycleId } = await newOffer();
  await login("admin");
  await page.goto(`/catalog/products/${productId}`);
  const price = page.getByLabel("Monthly, price in CHF");
  await price.click();
  await page.keyboard.type("15");
  await page.keyboard.press("Enter");
  const place = { resellerId: null, cycleId, currency: CURRENCY };
  await setPrice(systemContext(), { ...place, price: "12", setupFee: "3", pricePerCore: null });
  await page.getByRole("button", { name: "Save 1 price" }).click();
  await expect(page.getByText("Another administrator has changed prices meanwhile")).toBeVisible();
  await expect(page.getByText("Monthly, price in CHF is now 12.00; you typed 15.00.")).toBeVisible();
  await expect(page.getByText("Monthly, setup fee in CHF is now 3.00.")).toBeVisible();
  await expect(price).toHaveValue("15.00");
  await page.getByRole("button", { name: "Save 1 price" }).click();
  await expect(page.getByText("1 price saved")).toBeVisible();
  await expect(price).toHaveValue("15.00");
  await expect(page.getByLabel("Monthly, setup fee in CHF")).toHaveValue("3.00");
  await page.goto(`/audit?subject=product:${productId}`);
  const entry = page.getByRole("table", { name: "Audit log" }).getByRole("row").filter({ hasText: "Robin Example" });
  await expect(entry).toContainText("List price set");
  await entry.locator("summary").click();
  await expect(page.locator("[data-detail]:visible")).toContainText(/CHF\s12\.00\s*CHF\s15\.00/);
});

test("a form of the team in an old tab does not overwrite what a colleague has set since, and says what it is", async ({
  page,
  login,
  reseller,
}) => {
  const colleague = getRuntime().contextFor(
    { kind: "reseller_user", userId: 0 as UserId, resellerId: reseller.resellerId, role: "owner" },
    { requestId: "e2e" },
  );
  await login(reseller);
  await page.goto("/wallet#price-rules");
  const rules = page.getByRole("region", { name: "Price increases" });
  await rules.getByLabel("Notice in days").fill("3");
  await setPriceRules(colleague, { noticeDays: 14, maxIncreasePercent: 5 });
  await rules.getByRole("button", { name: "Save" }).click();
  await expect(rules.getByRole("alert")).toContainText("Highest increase in % now:5");
  await rules.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Limits saved")).toBeVisible();
  const stored = await getRuntime().db.prisma.reseller.findUnique({ where: { id: reseller.resellerId } });
  expect(stored).toMatchObject({ priceNoticeDays: 3, maxIncreasePercent: 5 });

  const { endpoint } = await createWebhookEndpoint(colleague, { url: "https://old.invalid/" });
  await page.goto(`/webhooks/whe_${endpoint.id}/edit`);
  await page.getByLabel("Description").fill("Billing system");
  const theirs = { url: "https://new.invalid/", concurrency: 2 };
  await updateWebhookEndpoint(colleague, { endpointId: endpoint.id, ...theirs, events: ["license.activated"] });
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("https://new.invalid/");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Endpoint changed")).toBeVisible();
  expect(await getRuntime().db.prisma.webhookEndpoint.findUnique({ where: { id: endpoint.id } })).toMatchObject({
    ...theirs,
    kinds: ["license.activated"],
    description: "Billing system",
  });
});

test("a reseller's settings that another admin has changed meanwhile are not overwritten unseen", async ({
  page,
  login,
  newReseller,
}) => {
  const { resellerId } = await newReseller();
  await login("admin");
  await page.goto(`/resellers/${resellerId}/settings`);
  const card = page.getByRole("region", { name: "Reseller", exact: true });
  await card.getByLabel("Notes").fill("Pays late.");
  await updateReseller(systemContext(), { resellerId, notes: "Pays on time." });
  await card.getByRole("button", { name: "Save" }).click();
  await expect(card.getByRole("alert")).toContainText("Notes now:Pays on time.");
  await card.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Saved");
  const stored = await getRuntime().db.prisma.reseller.findUnique({ where: { id: resellerId } });
  expect(stored?.notes).toBe("Pays late.");
});
