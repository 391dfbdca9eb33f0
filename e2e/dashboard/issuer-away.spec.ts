import { expect, newUser, test } from "../support/dashboard.ts";
import { accountOf, enter, type IssuerServer, startIssuerServer } from "../support/issuer-server.ts";

test.describe.configure({ timeout: 120_000 });

let desk: IssuerServer;
test.beforeAll(async () => {
  desk = await startIssuerServer();
});
test.afterAll(() => desk.stop());

test("an issuer that is away is one line; the password still signs in", async ({ page, newReseller }) => {
  const user = await newUser((await newReseller()).resellerId);
  desk.issuer.setAway(true);
  await enter(page, desk, accountOf(user.email), "/overview");
  await expect(page.getByRole("alert").filter({ hasText: "Single sign-on does not answer" })).toBeVisible();
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(`${desk.url}/overview`);
});
