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
  const { prisma } = getRuntime().db;
  const ofReseller = { where: { resellerId } };
  await prisma.license.updateMany({ where: { id: license.license_id }, data: { autoRenew: true } });
  await prisma.bundleInstance.updateMany({ ...ofReseller, data: { autoRenew: true } });
  await login(reseller);
  const pages = [`/licenses/${license.license_id}`, `/bundles/${Number(body.data.bundle_instance_id)}`];
  const failure = page.getByText("The automatic renewal failed");
  const autoRenew = page.getByRole("switch", { name: "Renew before it expires" });
  /** The server's worker may be renewing at the same time. */
  const renewAndSee = async (check: () => Promise<void>) => {
    for (const path of pages) {
      await expect(async () => {
        await runDueRenewals(systemContext(), { resellerId });
        await page.goto(path);
        await check();
      }).toPass();
    }
  };
  const seesNoFailure = async () => {
    await expect(autoRenew).toHaveAccessibleDescription(/^Renews on/, { timeout: 2_000 });
    await expect(failure).toHaveCount(0);
  };
  await renewAndSee(seesNoFailure);

  const data = { expiresAt: new Date(Date.now() + HOUR_MS) };
  await prisma.license.updateMany({ ...ofReseller, data });
  await prisma.bundleInstance.updateMany({ ...ofReseller, data });
  await renewAndSee(async () => {
    await expect(failure).toBeVisible({ timeout: 2_000 });
    await expect(page.getByRole("main")).toContainText(/Not enough balance, first on .*It is retried until the term/);
    await expect(page.getByRole("link", { name: /^Top up \$/ })).toHaveAttribute("href", /^\/wallet\?top-up=/);
    await expect(autoRenew).toHaveAccessibleDescription(/^Retried until/);
  });
  await inspect(page, "renewal-failed");

  const prices = await prisma.price.findMany(ofReseller);
  await prisma.price.deleteMany(ofReseller);
  await renewAndSee(async () => {
    const reasons = /no longer sold, first on .*Not enough balance, first on /;
    await expect(page.getByRole("main")).toContainText(reasons, { timeout: 2_000 });
    await expect(autoRenew).toHaveCount(0);
  });
  await inspect(page, "renewal-failed-unsold");

  await prisma.price.createMany({ data: prices });
  await topUpWallet(systemContext(), { resellerId, amount: "100", note: "" });
  await renewAndSee(seesNoFailure);
});
