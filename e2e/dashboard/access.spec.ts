import type { Page, Request } from "@playwright/test";
import { expect, expectRefusal, newUser, signInAs, test } from "../support/dashboard.ts";

/** Sends a server action again as whoever is signed in now, without the owner of its page: as a forger would. */
async function replay(page: Page, request: Request): Promise<string> {
  const { "next-action": action = "", "content-type": type = "" } = request.headers();
  const answer = await page.request.post(request.url(), {
    headers: { "next-action": action, "content-type": type },
    data: (request.postData() ?? "").replaceAll(/"[^":]*(:[0-9a-f]{32}")/g, '"$1'),
  });
  return answer.text();
}

function nextAction(page: Page): Promise<Request> {
  return page.waitForRequest((request) => request.method() === "POST" && "next-action" in request.headers());
}

for (const path of ["/", "/licenses", "/licenses/new", "/licenses/1", "/wallet", "/resellers", "/resellers/1"]) {
  test(`${path} sends who is not signed in to sign in`, async ({ page }) => {
    const answer = await page.request.get(path, { maxRedirects: 0 });
    expect(answer.status()).toBe(307);
    expect(answer.headers().location).toBe(path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`);
  });
}

test("where to go after signing in is not told by the client", async ({ page }) => {
  const headers = { "x-pathname": "//elsewhere.example" };
  const answer = await page.request.get("/wallet", { maxRedirects: 0, headers });
  expect(answer.headers().location).toBe("/sign-in?next=%2Fwallet");
});

test("another reseller's license looks exactly like one that does not exist (contract 1.12)", async ({
  page,
  login,
  reseller,
  newReseller,
  expectNothingAt,
}) => {
  const { license_id } = await (await newReseller()).newLicense();
  await login(reseller);
  const texts: string[] = [];
  for (const id of [license_id, 2_147_483_647, "abc", "0"]) {
    await expectNothingAt(`/licenses/${id}`);
    texts.push(await page.getByRole("main").innerText());
  }
  expect(new Set(texts).size).toBe(1);
});

test("pages of admins say so to a reseller, and pages of resellers to an admin", async ({
  page,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/status of 403/);
  await login(reseller);
  for (const path of ["/resellers", `/resellers/${reseller.resellerId}`, "/resellers/new", "/users"]) {
    await expectRefusal(page, path, "administrators");
  }
  await login("admin");
  for (const path of ["/bundles", "/licenses/new", "/bundles/1", "/wallet"]) {
    await expectRefusal(page, path, "resellers");
  }
});

test("a top-up sent by a reseller is refused, whatever page it comes from", async ({
  page,
  login,
  reseller,
  context,
  apiUrl,
}) => {
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Top up" }).click();
  await page.getByLabel("Amount in USD").fill("5");
  const sent = nextAction(page);
  await page.getByRole("button", { name: "Top up by $5.00" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("$1,005.00");
  const request = await sent;
  await signInAs(context, await newUser(reseller.resellerId), apiUrl);
  const answer = await replay(page, request);
  expect(answer).not.toContain('"ok":true');
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(1005);
});

test("a registration sent by an admin, by another reseller, or by nobody moves no money of the first", async ({
  page,
  login,
  reseller,
  newReseller,
  context,
  apiUrl,
}) => {
  await login(reseller);
  const product = await reseller.newProduct({ price: 500n });
  await page.goto("/licenses/new");
  await page.getByRole("radio", { name: product.name }).check();
  await page.getByLabel("Address").fill(reseller.newAddress());
  const sent = nextAction(page);
  await page.getByRole("button", { name: "Register for $5.00" }).click();
  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  const request = await sent;

  await signInAs(context, await newUser(null), apiUrl);
  expect(await replay(page, request)).not.toContain('"ok":true');
  await signInAs(context, await newUser((await newReseller()).resellerId), apiUrl);
  expect(await replay(page, request)).toContain("product_not_found");
  await context.clearCookies();
  expect(await replay(page, request)).not.toContain('"ok":true');
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(995);
});
