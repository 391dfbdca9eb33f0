import { getRuntime } from "#lib/runtime.ts";
import { newUser, signInAs, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

test("the menu of views and its questions are accessible and fit", async ({ page, context, reseller, apiUrl }) => {
  test.slow();
  await reseller.newLicense();
  const { prisma } = getRuntime().db;
  const user = await newUser(reseller.resellerId);
  const colleague = await newUser(reseller.resellerId, "Ada Northwind");
  const view = { resellerId: reseller.resellerId, list: "licenses", createdAt: new Date() };
  const { userId } = user;
  await prisma.savedView.createMany({
    data: [
      { ...view, userId, name: "Overdue", query: "?status=expired", shared: true },
      { ...view, userId, name: "Everything that ends this week in Frankfurt", query: "?expires=7", shared: false },
      { ...view, userId: colleague.userId, name: "Suspended", query: "?status=suspended", shared: true },
    ],
  });
  await signInAs(context, user, apiUrl);
  await page.goto("/licenses?status=expired");
  await page.getByRole("button", { name: /^Views/ }).click();
  await inspect(page, "saved-views");
  await page.getByRole("menuitem", { name: "Rename or share" }).click();
  await inspect(page, "saved-view-edit");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: /^Views/ }).click();
  await page.getByRole("menuitem", { name: "Delete view" }).click();
  await inspect(page, "saved-view-delete");
  await page.goto("/diagnostics");
  await inspect(page, "saved-view-none");
});
