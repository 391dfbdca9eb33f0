import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { type DatabaseProxy, statementNamed } from "#tests/faults/database-proxy.ts";
import { sql } from "#tests/sql.ts";
import { expect, newUser, pressUntil, shownBalance, signInAs, test } from "../support/dashboard.ts";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";
import type { Reseller } from "../support/world.ts";

/** A statement under way fails after 17 s; the rest is for new connections (docs/operating/outages.md). */
const WITHIN = { timeout: 30_000 };

let server: OwnServer;
let proxy: DatabaseProxy;

test.beforeAll(async () => {
  server = await startOwnServer("server", { LOG_LEVEL: "silent" }, { usesProxy: true });
  if (server.proxy === null) throw new Error("the server has no proxy");
  ({ proxy } = server);
});
test.beforeEach(() => test.slow());
test.afterEach(() => proxy.thaw());
test.afterAll(() => server.stop());

/** What was begun and never sent is rejected, and may be begun once more. */
const carriedOut = (reseller: Reseller) =>
  getRuntime().db.query(sql("select state from operations where reseller_id = $1 and state <> 'rejected'"), [
    reseller.resellerId,
  ]);

const failure = (page: Page) =>
  page.getByRole("main").getByRole("alert").filter({ hasText: "temporarily unavailable" });

for (const [when, from] of [
  ["before", undefined],
  ["while it is rendered", (sent: Buffer) => sent.includes("licenses")],
] as const) {
  test(`a page whose database falls silent ${when} ends within 30 s and says so, and opens once it is back`, async ({
    page,
    context,
    newReseller,
    tolerate,
  }) => {
    // 441: the server could not render.
    tolerate(/status of 503|React error #441/);
    await signInAs(context, await newUser((await newReseller()).resellerId), server.url);
    await page.goto(`${server.url}/wallet`);
    proxy.freeze(from);
    await page.goto(`${server.url}/licenses`, WITHIN);
    await expect(page.getByRole("alert").filter({ hasText: "Something went wrong on our side" })).toBeVisible();
    proxy.thaw();
    await pressUntil(page.getByRole("button", { name: "Try again" }), page.getByRole("heading", { name: "Licenses" }));
  });
}

for (const [when, from] of [
  ["before", undefined],
  ["while it changes something", (sent: Buffer) => sent.includes(statementNamed("mark_operation_sent"))],
] as const) {
  test(`a form whose database falls silent ${when} says so within 30 s, and sent again it is carried out once`, async ({
    page,
    context,
    newReseller,
  }) => {
    const reseller = await newReseller();
    await signInAs(context, await newUser(reseller.resellerId), server.url);
    const product = await reseller.newProduct({ price: 1800n });
    await page.goto(`${server.url}/licenses/new`);
    await page.getByRole("radio", { name: product.name }).check();
    await page.getByLabel("Address").fill(reseller.newAddress());
    const button = page.getByRole("button", { name: /^Register/ });
    proxy.freeze(from);
    await button.click();
    await expect(failure(page)).toBeVisible(WITHIN);
    proxy.thaw();
    await pressUntil(button, page.getByRole("heading", { name: product.name }));
    expect(await carriedOut(reseller)).toEqual([{ state: "succeeded" }]);
    await expect(shownBalance(page)).toContainText("$982.00");
  });
}

test("a file that is checked while the database is silent is refused within 30 s, stays, and is checked once it is back", async ({
  page,
  context,
  newReseller,
}) => {
  const reseller = await newReseller();
  await signInAs(context, await newUser(reseller.resellerId), server.url);
  const { name } = await reseller.newProduct({ price: 100n });
  await page.goto(`${server.url}/licenses/import`);
  const buffer = Buffer.from(`product,ip\n${name},${reseller.newAddress()}\n`);
  await page.getByLabel("CSV file").setInputFiles({ name: "licenses.csv", mimeType: "text/csv", buffer });
  await expect(page.getByText("Read from licenses.csv")).toBeVisible();
  proxy.freeze();
  await page.getByRole("button", { name: "Check the table" }).click();
  await expect(failure(page)).toBeVisible(WITHIN);
  proxy.thaw();
  const checkedFile = page.getByRole("heading", { name: "1 row is ready" });
  await pressUntil(page.getByRole("button", { name: "Check the table" }), checkedFile);
});
