import { expect, newMark, test } from "../support/offers.ts";

test("a provider is added, its connection tested, and switched off and on; its key is never shown", async ({
  page,
  login,
  newReseller,
  upstreams,
}) => {
  const upstream = await newReseller({ currency: "NOK", funds: "250" });
  const name = `up-${newMark()}`;
  upstreams.push(name);
  await login("admin");
  await page.goto("/providers");
  await page.getByRole("link", { name: "Add provider" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Address").fill("https://up.example/");
  await page.getByLabel(/^API key/).fill(upstream.apiKey);
  await page.getByRole("button", { name: "Add provider" }).click();
  await expect(page.getByLabel("Address")).toHaveAccessibleDescription(/ends in \/api\/v1\//);
  await page.getByLabel("Address").fill(`${upstream.baseUrl}/api/v1/`);
  await page.getByRole("button", { name: "Add provider" }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await expect(async () => {
    await page.getByRole("button", { name: "Test connection" }).click();
    const told = page.getByText("Our balance there is NOK 250.00").first();
    await expect(told).toBeVisible({ timeout: 2_000 });
  }).toPass();
  for (const [verb, state] of [
    ["Disable", "Nothing is sent to it until it is enabled."],
    ["Enable", "No license request has been sent yet."],
  ] as const) {
    if (verb === "Enable") await page.getByRole("button", { name: verb, exact: true }).click();
    else {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: verb }).click();
    }
    await page.getByRole("dialog").getByRole("button", { name: verb }).click();
    await expect(page.getByRole("region", { name: "Health" })).toContainText(state);
  }
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel(/^API key/)).toHaveValue("");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();
  expect(await page.content()).not.toContain(upstream.apiKey);
});

test("another address takes the key again: the stored one is not sent there", async ({
  page,
  login,
  newReseller,
  newUpstream,
}) => {
  const upstream = await newReseller({ currency: "NOK" });
  const provider = await newUpstream(upstream);
  await login("admin");
  await page.goto(`/providers/${provider}/edit`);
  const key = page.getByLabel(/^API key/);
  await expect(key).toHaveAccessibleDescription(/Leave empty to keep/);
  await page.getByLabel("Address").fill("http://127.0.0.1:9/api/v1/");
  await expect(key).toHaveAccessibleDescription(/stays with the stored address/);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(key).toHaveAccessibleDescription(/is required with another address/);
  await key.fill(upstream.apiKey);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("heading", { name: provider })).toBeVisible();
});

test("an import shows what it would do, and does that", async ({ page, login, newReseller, newUpstream }) => {
  const upstream = await newReseller({ currency: "NOK" });
  const product = await upstream.newProduct({ price: 10_000n, setupFee: 500n });
  const provider = await newUpstream(upstream);
  await login("admin");
  await page.goto(`/providers/${provider}`);
  await page.getByRole("link", { name: "Import catalog" }).click();
  await page.getByLabel("Markup in percent").fill("a lot");
  await page.getByRole("button", { name: "Preview" }).click();
  await expect(page.getByLabel("Markup in percent")).toHaveAccessibleDescription(/must be a number such as 12.5/);
  await page.getByLabel("Markup in percent").fill("25");
  const plan = page.getByRole("table", { name: "New" });
  await expect(async () => {
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(plan).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const row = plan.getByRole("row").filter({ hasText: product.name });
  await expect(row).toContainText("NOK 125.00");
  await expect(row).toContainText("+25%");
  await page.getByRole("button", { name: /^Apply to/ }).click();
  await expect(page).toHaveURL(new RegExp(`/catalog\\?provider=${provider}`));
  await page.getByRole("table", { name: "Products" }).getByRole("link", { name: product.name }).click();
  const prices = page.getByRole("grid", { name: /^Prices of/ });
  await expect(prices.getByLabel(/, price in NOK$/)).toHaveValue("125.00");
  await expect(prices).toContainText("+25%");
});
