import { getRuntime } from "#lib/runtime.ts";
import { haltJob } from "../support/bulk.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type Reseller, reconcile, setLicense } from "../support/world.ts";

/** An address with something that moves, something that stays, and a bundle. */
async function furnish(reseller: Reseller) {
  const { prisma } = getRuntime().db;
  const from = reseller.newAddress();
  const ids: number[] = [];
  for (const name of ["Mail Gateway", "Malware Scanner", "Backup Agent"]) {
    const license = await reseller.newLicense({ ip: from });
    await prisma.product.update({ where: { id: license.product_id }, data: { name } });
    ids.push(license.license_id);
  }
  await setLicense(ids[1] ?? 0, { expiredDays: 12 });
  const offer = await reseller.newBundle([{}, {}], { price: 2990n });
  await prisma.bundle.update({ where: { id: offer.bundle_id }, data: { name: "Hosting Suite" } });
  for (const [index, { product_id }] of offer.products.entries()) {
    const name = ["Server Control Panel", "Hardened Kernel"][index] ?? "";
    await prisma.product.update({ where: { id: product_id }, data: { name } });
  }
  await reseller.dispatch.post("bundle.register", {
    bundle_id: offer.bundle_id,
    cycle_id: offer.cycle_id,
    ip_address: from,
  });
  const { productId, cycleId } = await prisma.license.findFirstOrThrow({ where: { id: ids[0] ?? 0 } });
  const taken = reseller.newAddress();
  await reseller.dispatch.post("license.register", {
    product_id: productId,
    cycle_id: cycleId ?? 0,
    ip_address: taken,
  });
  return { from, taken };
}

test("relocations are accessible and fit", async ({ page, login, reseller }) => {
  test.slow();
  const { from, taken } = await furnish(reseller);
  await login(reseller);
  await page.goto(`/relocations?from=${from}&to=nowhere`);
  await inspect(page, "relocation-problem");
  await page.goto(`/relocations?from=${from}&to=${taken}`);
  await expect(page.getByText(`One product is on ${taken} already`)).toBeVisible();
  await inspect(page, "relocation-clash");
  await page.goto(`/relocations?from=${from}&to=192.0.2.50`);
  await inspect(page, "relocation-dry-run");
  await page.getByRole("button", { name: "Move 3 to 192.0.2.50" }).click();
  await expect(page.getByText(/^Finished: .*1 failed, 2 reverted/)).toBeVisible();
  await inspect(page, "relocation-undone");
  await page.goto("/relocations");
  await inspect(page, "relocations");
});

test("a relocation that waits for the provider, and one that is taken back, are accessible and fit", async ({
  page,
  login,
  reseller,
}) => {
  test.slow();
  const { from } = await furnish(reseller);
  await login(reseller);
  // The provider moves what it is asked to, and no answer comes.
  await page.goto(`/relocations?from=${from}&to=192.0.2.20`);
  await page.getByRole("button", { name: "Move 3 to 192.0.2.20" }).click();
  await expect(page.getByText("Waiting for the provider")).toBeVisible();
  await expect(page.getByText("0 of 4 moved, 1 not confirmed, 1 skipped")).toBeVisible();
  await inspect(page, "relocation-waiting");
  const worker = await haltJob(Number(page.url().split("/").at(-1)));
  const where = { resellerId: reseller.resellerId, state: "unknown" } as const;
  const { id } = await getRuntime().db.prisma.operation.findFirstOrThrow({ where });
  expect(await reconcile(id)).toBe("succeeded");
  await page.getByRole("button", { name: "Stop and revert" }).click();
  await inspect(page, "relocation-stop");
  await page.getByRole("dialog").getByRole("button", { name: "Stop and revert" }).click();
  await expect(page.getByText("Stopping")).toBeVisible();
  expect(await worker.begin()).toBe(true);
  await expect(page.getByText("1 to revert")).toBeVisible();
  await inspect(page, "relocation-undoing");
  await worker.release();
  await expect(page.getByText(/^Stopped: .*1 reverted/)).toBeVisible();
  await inspect(page, "relocation-stopped");
});

test("a relocation that cannot be reverted yet says until when it tries, and once stopped, that it is not reverted", async ({
  page,
  login,
  reseller,
}) => {
  test.slow();
  const { from } = await furnish(reseller);
  // The provider cannot be reached by what moves there.
  const unreachable = "192.0.2.60";
  const { prisma } = getRuntime().db;
  const here = { resellerId: reseller.resellerId, ipAddress: from };
  await prisma.bundleInstance.updateMany({ where: here, data: { ipAddress: unreachable } });
  await prisma.license.updateMany({ where: here, data: { ipAddress: unreachable } });
  await login(reseller);
  await page.goto(`/relocations?from=${unreachable}&to=192.0.2.20`);
  await page.getByRole("button", { name: "Move 3 to 192.0.2.20" }).click();
  await expect(page.getByText("Waiting for the provider")).toBeVisible();
  const worker = await haltJob(Number(page.url().split("/").at(-1)));
  const where = { resellerId: reseller.resellerId, state: "unknown" } as const;
  const { id } = await prisma.operation.findFirstOrThrow({ where });
  expect(await reconcile(id)).toBe("succeeded");
  await page.getByRole("button", { name: "Stop and revert" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop and revert" }).click();
  await expect(page.getByText("Stopping")).toBeVisible();
  await worker.release();
  await expect(page.getByText("1 change is still to be reverted")).toBeVisible();
  const notice = page.getByText("Not reverted yet: The provider cannot be reached. Next try:");
  await expect(notice).toHaveText(/Next try: \S.*\. Last try: \S.*\.$/);
  await expect(page.getByRole("table", { name: "Results" }).getByText("To revert")).toHaveCount(1);
  await inspect(page, "relocation-postponed");
  await page.getByRole("button", { name: "Stop trying" }).click();
  await inspect(page, "relocation-stop-trying");
  await page.getByRole("dialog").getByRole("button", { name: "Stop trying" }).click();
  await expect(page.getByText("1 change could not be reverted")).toBeVisible();
  const results = page.getByRole("table", { name: "Results" });
  await expect(page.getByText("1 not reverted", { exact: true })).toBeVisible();
  await expect(results.getByText("Not reverted: a user stopped the tries.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Stop trying" })).toHaveCount(0);
  await inspect(page, "relocation-not-reverted");
});

test("reverts whose outcome is unknown say so and since when; a user stops waiting, and still sees the outcome", async ({
  page,
  login,
  reseller,
}) => {
  test.slow();
  const { from } = await furnish(reseller);
  // The provider moves things there, and no answer comes.
  const silent = "192.0.2.20";
  const { prisma } = getRuntime().db;
  const here = { resellerId: reseller.resellerId, ipAddress: from };
  await prisma.bundleInstance.updateMany({ where: here, data: { ipAddress: silent } });
  await prisma.license.updateMany({ where: here, data: { ipAddress: silent } });
  await login(reseller);
  await page.goto(`/relocations?from=${silent}&to=192.0.2.50`);
  await page.getByRole("button", { name: "Move 3 to 192.0.2.50" }).click();
  await expect(page.getByText("2 reverts not confirmed")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText("2 not confirmed, 1 failed")).toBeVisible();
  await expect(page.getByText(/^Since \S.*, it is unknown whether/)).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "1 of 3");
  await inspect(page, "relocation-reverts-unknown");
  await page.getByRole("button", { name: "Stop waiting" }).click();
  await inspect(page, "relocation-stop-waiting");
  await page.getByRole("dialog").getByRole("button", { name: "Stop waiting" }).click();
  await expect(page.getByText("2 outcomes are still unknown")).toBeVisible();
  await expect(page.getByText("Not all confirmed", { exact: true })).toBeVisible();
  await inspect(page, "relocation-outcomes-unknown");
  const where = { resellerId: reseller.resellerId, state: "unknown" } as const;
  for (const { id } of await prisma.operation.findMany({ where })) expect(await reconcile(id)).toBe("succeeded");
  await expect(page.getByText(/^Finished: .*1 failed, 2 reverted/)).toBeVisible();
});
