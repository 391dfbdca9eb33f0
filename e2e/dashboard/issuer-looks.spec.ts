import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { expect, newUser, test } from "../support/dashboard.ts";
import { accountOf, enter, type IssuerServer, LINK, PROOF_LINK, startIssuerServer } from "../support/issuer-server.ts";
import { inspect } from "../support/looks.ts";

test.describe.configure({ timeout: 120_000 });

let desk: IssuerServer;
test.beforeAll(async () => {
  desk = await startIssuerServer();
});
test.afterAll(() => desk.stop());

test("signing in and confirming at the issuer are accessible and fit", async ({ page, context, newReseller }) => {
  await page.goto(`${desk.url}/sign-in`);
  await expect(page.getByRole("link", { name: LINK })).toBeVisible();
  await inspect(page, "issuer-sign-in");
  await enter(page, desk, accountOf("robin@elsewhere.example"));
  await expect(page.getByRole("alert").filter({ hasText: "This account has no access" })).toBeVisible();
  await inspect(page, "issuer-refused");

  await context.clearCookies();
  const user = await newUser((await newReseller()).resellerId);
  await enter(page, desk, accountOf(user.email), "/settings");
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await getRuntime().db.query(
    sql("update sessions set proven_at = proven_at - interval '11 minutes' where user_id = $1"),
    [user.userId],
  );
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const link = page.getByRole("dialog").getByRole("link", { name: PROOF_LINK });
  await expect(link).toBeVisible();
  await inspect(page, "issuer-proof");
  const [tab] = await Promise.all([context.waitForEvent("page"), link.click()]);
  await expect(tab.getByRole("heading", { name: "Identity confirmed" })).toBeVisible();
  await inspect(tab, "issuer-confirmed");
  await tab.goto(`${desk.url}/confirmed?failed=issuer_other`);
  await inspect(tab, "issuer-not-confirmed");
});
