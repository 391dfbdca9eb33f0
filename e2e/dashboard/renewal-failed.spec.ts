import { getRuntime } from "#lib/runtime.ts";
import { runDueRenewals } from "#lib/services/renewals/run-due.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { systemContext } from "../support/world.ts";

const HOUR_MS = 3_600_000;

test("a failed automatic renewal is reported where the license or bundle is shown, until it has been renewed", async ({
  page,
  login,
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "30" });
  const { resellerId } = reseller;
  const license = await reseller.newLicense();
  const offer = await reseller.newBundle([{}, {}], { price: 2000n });
  const { body } = await reseller.dispatch.post("bundle.register", {
    bundle_id: offer.bundle_id,
    cycle_id: offer.cycle_id,
    ip_address: reseller.newAddress(),
  });
  const data = { autoRenew: true, expiresAt: new Date(Date.now() + HOUR_MS) };
  const { prisma } = getRuntime().db;
  await prisma.license.updateMany({ where: { id: license.license_id }, data });
  await prisma.bundleInstance.updateMany({ where: { resellerId }, data });
  await prisma.license.updateMany({
    where: { resellerId, bundleInstanceId: { not: null } },
    data: { expiresAt: data.expiresAt },
  });
  await login(reseller);
  const pages = [`/licenses/${license.license_id}`, `/bundles/${Number(body.data.bundle_instance_id)}`];
  const failure = page.getByText("The automatic renewal failed");
  const autoRenew = page.getByRole("switch", { name: "Renew before it expires" });
  for (const path of pages) {
    await page.goto(path);
    await expect(autoRenew).toHaveAccessibleDescription(/^Renews on/);
    await expect(failure).toHaveCount(0);
  }

  expect(await runDueRenewals(systemContext(), { resellerId })).toMatchObject({ failed: 2 });
  for (const path of pages) {
    await page.goto(path);
    await expect(failure).toBeVisible();
    await expect(page.getByRole("main")).toContainText(/Not enough balance, first on .*It is retried until the term/);
    await expect(autoRenew).toHaveAccessibleDescription(/^Retried until/);
  }
  await inspect(page, "renewal-failed");

  const prices = await prisma.price.findMany({ where: { resellerId } });
  await prisma.price.deleteMany({ where: { resellerId } });
  expect(await runDueRenewals(systemContext(), { resellerId })).toMatchObject({ failed: 2 });
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByRole("main")).toContainText(/no longer sold, first on .*Not enough balance, first on /);
    await expect(autoRenew).toHaveCount(0);
  }
  await inspect(page, "renewal-failed-unsold");

  await prisma.price.createMany({ data: prices });
  await topUpWallet(systemContext(), { resellerId, amount: "100", note: "" });
  expect(await runDueRenewals(systemContext(), { resellerId })).toMatchObject({ renewed: 2 });
  for (const path of pages) {
    await page.goto(path);
    await expect(autoRenew).toHaveAccessibleDescription(/^Renews on/);
    await expect(failure).toHaveCount(0);
  }
});
