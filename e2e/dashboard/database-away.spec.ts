import { expect, newUser, pressUntil, signInAs, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";

let server: OwnServer;

test.beforeAll(async () => {
  server = await startOwnServer("server", { DATABASE_POOL_SIZE: "3", LOG_LEVEL: "silent" });
});

test.afterAll(() => server.stop());

test("while the database is away a page says so in our words, and opens once it is back", async ({
  page,
  context,
  newReseller,
  tolerate,
}) => {
  // 441: the server could not render.
  tolerate(/status of 503|React error #441/);
  await signInAs(context, await newUser((await newReseller()).resellerId), server.url);
  await server.takeDatabaseAway();
  try {
    const response = await page.goto(`${server.url}/licenses`);
    expect([response?.status(), response?.headers()["retry-after"]]).toEqual([503, "5"]);
    await expect(page.getByRole("alert").filter({ hasText: "Something went wrong on our side" })).toBeVisible();
    await expect(page).toHaveTitle("Something went wrong · License Desk");
    await inspect(page, "database-away");
  } finally {
    await server.bringDatabaseBack();
  }
  await pressUntil(page.getByRole("button", { name: "Try again" }), page.getByRole("heading", { name: "Licenses" }));
});
