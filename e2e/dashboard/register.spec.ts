import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import type { TestProduct } from "../support/catalog.ts";
import { expect, onDesktop, shownBalance, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

/** Fills the form as far as the button. */
async function fill(page: Page, product: TestProduct, address: string, notes = ""): Promise<void> {
  await page.goto("/licenses/new");
  await page.getByRole("radio", { name: product.name }).check();
  await page.getByLabel("Address").fill(address);
  await page.getByLabel("Notes").fill(notes);
}

const registerButton = (page: Page) => page.getByRole("button", { name: /^Register/ });

test("a license is registered: the price is shown first, the balance afterwards, and the search finds it", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const product = await reseller.newProduct({ price: 1800n, setupFee: 500n });
  const address = reseller.newAddress();
  await page.goto("/licenses");
  await page.getByRole("link", { name: "Register your first license" }).click();
  await expect(page).toHaveTitle("Register a license · License Desk");
  await page.getByRole("radio", { name: product.name }).check();
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText("Setup fee, once$5.00");
  await expect(summary).toContainText("Charged now$23.00");
  await expect(summary).toContainText("Available balance now$1,000.00");
  await expect(summary).toContainText("Available balance after$977.00");
  await page.getByLabel("Address").fill(address);
  await page.getByLabel("Notes").fill("Order 4711 of Lilja & Söhne");
  await page.getByRole("button", { name: "Register for $23.00" }).click();

  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  await expect(page.getByRole("heading", { name: product.name })).toBeVisible();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Available balance: $977.00.");
  await expect(shownBalance(page)).toContainText("$977.00");
  await expect(page.getByText("Active", { exact: true })).toBeVisible();

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Licenses" }).click();
  await page.getByRole("searchbox", { name: "Search licenses" }).fill("order 4711 of lilja");
  await expect(page).toHaveURL(/q=order\+4711\+of\+lilja/);
  await expect(page.getByRole("row").filter({ hasText: address })).toBeVisible();
});

test("customer and tags are given with the registration, and one that is wrong is shown before anything is charged", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const product = await reseller.newProduct({ price: 1000n });
  await fill(page, product, reseller.newAddress());
  await expect(page.getByLabel("Customer name")).toBeHidden();
  await page.getByText("Customer and tags").click();
  await page.getByLabel("Customer name").fill("Fjord Bakery");
  await page.getByLabel("Email").fill("not an address");
  await page.getByLabel("Tags").fill("VIP, eu");
  await inspect(page, "register-labels");
  await page.getByText("Customer and tags").click();
  await page.getByRole("button", { name: "Register for $10.00" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/email address/);
  await expect(shownBalance(page)).toContainText("$1,000.00");
  await page.getByLabel("Email").fill("it@fjord.example");
  await page.getByRole("button", { name: "Register for $10.00" }).click();
  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  await expect(page.getByRole("link", { name: "Fjord Bakery" })).toBeVisible();
  await expect(page.getByRole("link", { name: "vip", exact: true })).toBeVisible();
  await expect(page.getByText("it@fjord.example")).toBeVisible();
});

test("cores and auto-renew are bought with the license, and the setup fee stands on the tile", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const product = await reseller.newProduct({ price: 1000n, setupFee: 500n, pricePerCore: 300n });
  await fill(page, product, reseller.newAddress());
  await expect(page.getByRole("group", { name: "Product" })).toContainText("+ $5.00 setup");
  await page.getByRole("spinbutton", { name: "Cores" }).fill("3");
  const autoRenew = page.getByRole("checkbox", { name: "Auto-renew", exact: true });
  await expect(autoRenew).toHaveAccessibleDescription("Charged to the wallet before each term ends.");
  await autoRenew.check();
  await expect(page.getByRole("region", { name: "Summary" })).toContainText("2 more cores$6.00");
  await inspect(page, "register-cores");
  await page.getByRole("button", { name: "Register for $21.00" }).click();
  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  await expect(shownBalance(page)).toContainText("$979.00");
  await expect(page.getByRole("region", { name: "Automatic renewal" }).getByRole("switch")).toBeChecked();
  await expect(page.getByRole("region", { name: "Automatic renewal" })).toContainText("$16.00");
});

test("several pasted addresses get a license each, at one price for all, and an install command each", async ({
  page,
  context,
  login,
  reseller,
}) => {
  await login(reseller);
  const product = await reseller.newProduct({ price: 1000n });
  const addresses = [reseller.newAddress(), reseller.newAddress(), reseller.newAddress()];
  await fill(page, product, "");
  await page.getByLabel("Address").evaluate((field, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    (field as HTMLInputElement).focus();
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, addresses.join("\n"));
  await expect(page.getByLabel("Address")).toHaveValue(addresses.join(", "));
  await expect(page.getByRole("region", { name: "Summary" })).toContainText("Licenses× 3");
  await page.getByRole("button", { name: "Register for $30.00" }).click();
  await expect(page).toHaveURL(/\/jobs\/\d+$/);
  await expect(page.getByRole("main")).toContainText(addresses[2] ?? "");
  await expect(page.getByText("Imported from a table")).toHaveCount(0);
  await expect.poll(async () => (await reseller.path.get("/licenses")).body.licenses.length).toBe(3);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Create keys and copy commands" }).click();
  await expect(page.getByText("Install commands copied")).toBeVisible();
  const commands = await page.evaluate(() => navigator.clipboard.readText());
  expect(commands.match(/^curl -fsS \S+\/install\.sh \| sh -s -- LIC-\S+ lk_live_\w+$/gm)).toHaveLength(3);
  await page
    .getByText(addresses[1] ?? "")
    .first()
    .click();
  await expect(page.getByText(`is licensed for your server ${addresses[1]}.`)).toBeVisible();
  await inspect(page, "register-commands");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download messages" }).click(),
  ]);
  const messages = await readFile(await download.path(), "utf8");
  expect(messages.match(/^Activate /gm)).toHaveLength(3);
  await fill(page, product, addresses.join(" "));
  await registerButton(page).click();
  await expect(page.getByLabel("Address")).toHaveAccessibleDescription(/already has a live license of this product/);
});

test(
  "too little money is said before the button is pressed, and refused when it is",
  onDesktop,
  async ({ page, login, newReseller }) => {
    const reseller = await newReseller({ funds: "10" });
    await login(reseller);
    const product = await reseller.newProduct({ price: 1250n });
    const other = await reseller.newProduct({ price: 600n });
    await fill(page, product, reseller.newAddress());
    const summary = page.getByRole("region", { name: "Summary" });
    await expect(summary).toContainText("Needs $2.50 more");
    await registerButton(page).click();
    const refusal = page.getByRole("alert").filter({ hasText: "Not enough balance" });
    await expect(refusal).toContainText("$12.50 is needed and $10.00 is available. Top up $2.50.Nothing was charged.");
    await expect(summary.getByRole("link", { name: "Top up" })).toHaveAttribute("href", "/wallet?top-up=2.50");
    await expect(shownBalance(page)).toContainText("$10.00");
    await page.getByRole("radio", { name: other.name }).check();
    await expect(refusal, "it was about the other choice").toHaveCount(0);
    await expect(summary).toContainText("Available balance after$4.00");
  },
);

test("where the balance pays for some of several addresses, the most that may be charged is said, not a refusal", async ({
  page,
  login,
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "15" });
  await login(reseller);
  const product = await reseller.newProduct({ price: 1000n });
  const other = await reseller.newProduct({ price: 2000n });
  const addresses = [reseller.newAddress(), reseller.newAddress(), reseller.newAddress()];
  await fill(page, other, addresses.join(", "));
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText("The balance does not pay for any of them.");
  await expect(registerButton(page)).toBeDisabled();
  await page.getByRole("radio", { name: product.name }).check();
  await expect(summary).toContainText("Needs $15.00 more");
  await expect(summary).toContainText("The balance pays for 1 of 3. The rest are charged if money arrives first");
  await expect(summary).not.toContainText("refused");
  await inspect(page, "register-some");
  await page.getByRole("button", { name: "Register for up to $30.00" }).click();
  await expect(page.getByText("Finished: 1 done, 2 failed")).toBeVisible();
  await expect(shownBalance(page)).toContainText("$5.00");
});

test("a private address is asked about before anything is charged, and again when it is another (contract 1.8)", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const product = await reseller.newProduct({ price: 1800n });
  const [first, second] = [`10.${reseller.resellerId >> 8}.${reseller.resellerId & 255}.1`, "192.168.77.1"];
  await fill(page, product, second);
  await registerButton(page).click();
  await expect(page.getByRole("alert").filter({ hasText: `${second} is a private address` })).toBeVisible();
  await page.getByRole("checkbox", { name: `${second} is intended` }).check();
  await page.getByRole("textbox", { name: "Address" }).fill(first);
  await registerButton(page).click();
  await expect(page.getByRole("alert").filter({ hasText: `${first} is a private address` })).toBeVisible();
  await expect(shownBalance(page)).toContainText("$1,000.00");
  const question = page.getByRole("checkbox", { name: `${first} is intended` });
  await expect(question).not.toBeChecked();
  await question.check();
  await registerButton(page).click();
  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  await expect(shownBalance(page)).toContainText("$982.00");
});

test("what is wrong stands beside its field until that is changed, and the first summary leads to it", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await reseller.newProduct();
  await page.goto("/licenses/new");
  await page.getByLabel("Address").fill("1.2.3");
  await registerButton(page).click();
  const summary = page.getByRole("alert").filter({ hasText: "There are 2 problems" });
  await expect(summary).toBeFocused();
  await expect(page.getByRole("group", { name: "Product" })).toHaveAccessibleDescription("Choose a product.");
  const choice = page.getByRole("radio", { name: /Hardened Kernel/ });
  await choice.check();
  await expect(choice, "the summary does not take the focus again").toBeFocused();
  const rest = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(rest).not.toContainText("Choose a product.");
  await rest.getByRole("button", { name: /Address must be an IPv4 address/ }).click();
  await expect(page.getByLabel("Address")).toBeFocused();
  await expect(page.getByLabel("Address")).toHaveAccessibleDescription(/must be an IPv4 address such as 203.0.113.7/);
  await page.getByLabel("Address").press("End");
  await expect(rest).toBeVisible();
  await page.getByLabel("Address").press("4");
  await expect(page.getByText("There is a problem")).toHaveCount(0);
  await expect(page.getByLabel("Address")).not.toHaveAttribute("aria-invalid");
  await expect(page.getByLabel("Address"), "what is typed goes on being typed").toBeFocused();
  await registerButton(page).click();
  await expect(rest).toBeFocused();
});

test(
  "the provider's refusal stands beside the address, nothing is charged, and another address works",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const product = await reseller.newProduct({ price: 900n });
    await fill(page, product, "192.0.2.10");
    await registerButton(page).click();
    await expect(page.getByLabel("Address")).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByText("Nothing was charged.")).toBeVisible();
    await expect(shownBalance(page)).toContainText("$1,000.00");
    await page.getByLabel("Address").fill(reseller.newAddress());
    await expect(page.getByText("Nothing was charged.")).toHaveCount(0);
    await registerButton(page).click();
    await expect(page).toHaveURL(/\/licenses\/\d+$/);
    await expect(shownBalance(page)).toContainText("$991.00");
  },
);

test(
  "an address that has a live license of the product is refused beside the field (contract 3.3)",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const product = await reseller.newProduct({ price: 900n });
    const address = reseller.newAddress();
    await reseller.dispatch.post("license.register", { ...pick(product), ip_address: address });
    await fill(page, product, address);
    await registerButton(page).click();
    await expect(page.getByLabel("Address")).toHaveAccessibleDescription(/already has a live license of this product/);
    await expect(shownBalance(page)).toContainText("$991.00");
  },
);

test(
  "an outcome that is not known is neither success nor failure: the money stays held (contract 3.11)",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const product = await reseller.newProduct({ price: 1200n });
    await fill(page, product, "192.0.2.20");
    await registerButton(page).click();
    await expect(page.getByRole("heading", { name: "Not confirmed yet" })).toBeFocused();
    await expect(page.getByRole("main")).toContainText(`${product.name} on 192.0.2.20`);
    await expect(page.getByRole("main")).toContainText("$12.00 stays held. Available balance: $988.00.");
    await expect(shownBalance(page)).toContainText("$988.00");
    await expect(shownBalance(page)).toContainText("1 pending");
    await page.getByRole("link", { name: "View license" }).click();
    await expect(page.getByText("The provider has not confirmed this license yet")).toBeVisible();
    await expect(page.getByRole("button", { name: "Renew" })).toHaveCount(0);
    await page.goto("/wallet");
    await expect(page.getByRole("region", { name: "Not confirmed yet" })).toContainText("$12.00 held");
  },
);

test("a double click registers and charges once", onDesktop, async ({ page, login, reseller }) => {
  await login(reseller);
  const product = await reseller.newProduct({ price: 700n });
  await fill(page, product, reseller.newAddress());
  await registerButton(page).dblclick();
  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  await expect(shownBalance(page)).toContainText("$993.00");
  expect((await reseller.path.get("/licenses")).body.licenses).toHaveLength(1);
});

test(
  "the same submission sent again by the network registers and charges once, and answers the same",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const product = await reseller.newProduct({ price: 700n });
    await fill(page, product, reseller.newAddress());
    const sent = page.waitForRequest((request) => request.method() === "POST" && "next-action" in request.headers());
    await registerButton(page).click();
    await expect(page).toHaveURL(/\/licenses\/\d+$/);
    const first = await sent;
    const again = await page.request.post(first.url(), {
      headers: {
        "next-action": first.headers()["next-action"] ?? "",
        "content-type": first.headers()["content-type"] ?? "",
      },
      data: first.postDataBuffer() ?? "",
    });
    const [licenseId] = /\d+$/.exec(page.url()) ?? [];
    expect(await again.text()).toContain(`"licenseId":${licenseId}`);
    expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(993);
  },
);

test("a license is registered with the keyboard alone", onDesktop, async ({ page, login, reseller }) => {
  await login(reseller);
  const first = await reseller.newProduct({ price: 100n });
  await page.goto("/licenses");
  await page.getByRole("link", { name: "Register your first license" }).focus();
  await page.keyboard.press("Enter");
  const ours = page.getByRole("radio", { name: first.name });
  await expect(ours).toBeVisible();
  await page.getByRole("main").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  for (let step = 0; step < 50 && !(await ours.isChecked()); step++) await page.keyboard.press("ArrowDown");
  await expect(ours).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Address")).toBeFocused();
  await page.keyboard.type(reseller.newAddress());
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  await expect(shownBalance(page)).toContainText("$999.00");
});

function pick({ product_id, cycle_id }: TestProduct) {
  return { product_id, cycle_id };
}
