import { globSync, readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import type { UserId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { expect, newBundleOffer, newOffer, test } from "../support/offers.ts";
import type { Reseller } from "../support/world.ts";

interface World {
  readonly page: Page;
  readonly reseller: Reseller;
  readonly newUpstream: (upstream: Reseller) => Promise<string>;
}

interface VersionedForm {
  readonly as: "reseller" | "admin";
  /** Opens the form and begins to fill it in. */
  readonly begin: (world: World) => Promise<{
    /** What a colleague does meanwhile. */
    readonly change: () => Promise<unknown>;
    readonly submit: Locator;
    /** What the form then says that it is now. */
    readonly now: string;
  }>;
}

const db = () => getRuntime().db.prisma;
const DAY_MS = 86_400_000;

/** On the page of a license of a dollar a month for each core. */
async function openLicense({ page, reseller }: World) {
  const license = await reseller.newLicense({ product: { price: 100n, pricePerCore: 100n } });
  const where = { id: license.license_id };
  await page.goto(`/licenses/${license.license_id}`);
  const facts = page.getByRole("region", { name: "License", exact: true });
  const moveTo = (ipAddress: string) => db().license.updateMany({ where, data: { ipAddress } });
  const endAt = (expiresAt: Date) => db().license.updateMany({ where, data: { expiresAt } });
  return { id: license.license_id, where, facts, dialog: page.getByRole("dialog"), moveTo, endAt };
}

async function openBundle({ page, reseller }: World) {
  const offer = await reseller.newBundle([{}, {}], { price: 200n });
  const { body } = await reseller.dispatch.post("bundle.register", {
    bundle_id: offer.bundle_id,
    cycle_id: offer.cycle_id,
    ip_address: reseller.newAddress(),
  });
  const bundleInstanceId = Number(body.data.bundle_instance_id);
  await page.goto(`/bundles/${bundleInstanceId}`);
  return { where: { bundleInstanceId }, dialog: page.getByRole("dialog") };
}

async function changeBundle(id: number, data: { readonly expiresAt: Date } | { readonly ipAddress: string }) {
  await db().bundleInstance.updateMany({ where: { id }, data });
  await db().license.updateMany({ where: { bundleInstanceId: id }, data });
}

function inlineEdit(name: string, label: string, data: object, now: string): VersionedForm["begin"] {
  return async (world) => {
    const { facts, where } = await openLicense(world);
    await facts.getByRole("button", { name: `Edit ${name}` }).click();
    await facts.getByLabel(label).fill("mine");
    const submit = facts.getByRole("button", { name: `Save ${name}` });
    return { change: () => db().license.updateMany({ where, data }), submit, now };
  };
}

const later = () => new Date(Date.now() + 300 * DAY_MS);
const forms: Readonly<Record<string, VersionedForm>> = {
  "licenses.changeAddress": {
    as: "reseller",
    async begin(world) {
      const { facts, dialog, moveTo } = await openLicense(world);
      const theirs = world.reseller.newAddress();
      await facts.getByRole("button", { name: "Change IP" }).click();
      await dialog.getByLabel("New address").fill(world.reseller.newAddress());
      const submit = dialog.getByRole("button", { name: "Change IP" });
      return { change: () => moveTo(theirs), submit, now: `IP address now:${theirs}` };
    },
  },
  "licenses.changeCores": {
    as: "reseller",
    async begin(world) {
      const { facts, dialog, where } = await openLicense(world);
      await facts.getByRole("button", { name: "Change cores" }).click();
      await dialog.getByLabel("Cores").fill("3");
      const submit = dialog.getByRole("button", { name: /^Change for/ });
      await expect(submit).toBeEnabled();
      // The refresh brings another price, and a press while the button gets it could be lost.
      const repriced = submit.filter({ hasNotText: (await submit.textContent()) ?? "" });
      const change = () => db().license.updateMany({ where, data: { cores: 2 } });
      return { change, submit: repriced, now: "Cores now:2" };
    },
  },
  "licenses.renew": {
    as: "reseller",
    async begin(world) {
      const { dialog, endAt } = await openLicense(world);
      await world.page.getByRole("button", { name: "Renew" }).click();
      const submit = dialog.getByRole("button", { name: /^Renew for/ });
      return { change: () => endAt(later()), submit, now: "Current expiry now:" };
    },
  },
  "licenses.terminate": {
    as: "reseller",
    async begin(world) {
      const { id, dialog, endAt } = await openLicense(world);
      await world.page.getByRole("button", { name: "More actions" }).click();
      await world.page.getByRole("menuitem", { name: "Terminate" }).click();
      await dialog.getByLabel(/^Type lic_/).fill(`lic_${id}`);
      const submit = dialog.getByRole("button", { name: "Terminate for good" });
      return { change: () => endAt(later()), submit, now: "Paid until now:" };
    },
  },
  "licenses.setNotes": {
    as: "reseller",
    begin: inlineEdit("notes", "Notes", { notes: "Theirs" }, "Notes now:Theirs"),
  },
  "licenses.setCustomer": {
    as: "reseller",
    begin: inlineEdit("customer", "Reference", { customerName: "Theirs" }, "name now:Theirs"),
  },
  "licenses.setTags": { as: "reseller", begin: inlineEdit("tags", "Tags", { tags: ["theirs"] }, "Tags now:theirs") },
  "bundles.renew": {
    as: "reseller",
    async begin(world) {
      const { where, dialog } = await openBundle(world);
      await world.page.getByRole("button", { name: "Renew" }).click();
      const submit = dialog.getByRole("button", { name: /^Renew for/ });
      const change = () => changeBundle(where.bundleInstanceId, { expiresAt: later() });
      return { change, submit, now: "Current expiry now:" };
    },
  },
  "bundles.changeAddress": {
    as: "reseller",
    async begin(world) {
      const { where, dialog } = await openBundle(world);
      const ipAddress = world.reseller.newAddress();
      await world.page.getByRole("button", { name: "Change IP" }).click();
      await dialog.getByLabel("New address").fill(world.reseller.newAddress());
      const submit = dialog.getByRole("button", { name: "Move 2 licenses" });
      const change = () => changeBundle(where.bundleInstanceId, { ipAddress });
      return { change, submit, now: `IP address now:${ipAddress}` };
    },
  },
  "wallet.setRules": {
    as: "reseller",
    async begin({ page, reseller }) {
      await page.goto("/wallet#price-rules");
      const rules = page.getByRole("region", { name: "Price increases" });
      await rules.getByLabel("Notice in days").fill("3");
      const where = { id: reseller.resellerId };
      const change = () => db().reseller.update({ where, data: { maxIncreasePercent: 5 } });
      return { change, submit: rules.getByRole("button", { name: "Save" }), now: "Highest increase in % now:5" };
    },
  },
  "webhooks.update": {
    as: "reseller",
    async begin({ page, reseller }) {
      const ctx = getRuntime().contextFor(
        { kind: "reseller_user", userId: 0 as UserId, resellerId: reseller.resellerId, role: "owner" },
        { requestId: "e2e" },
      );
      const { endpoint } = await createWebhookEndpoint(ctx, { url: "https://old.invalid/" });
      await page.goto(`/webhooks/whe_${endpoint.id}/edit`);
      await page.getByLabel("Description").fill("Mine");
      const data = { url: "https://new.invalid/" };
      const change = () => db().webhookEndpoint.update({ where: { id: endpoint.id }, data });
      return { change, submit: page.getByRole("button", { name: "Save changes" }), now: "now:https://new.invalid/" };
    },
  },
  "catalog.editProduct": {
    as: "admin",
    async begin({ page }) {
      const { productId } = await newOffer();
      await page.goto(`/catalog/products/${productId}/edit`);
      await page.getByLabel("Description").fill("Mine");
      const change = () => db().product.update({ where: { id: productId }, data: { name: "Theirs" } });
      return { change, submit: page.getByRole("button", { name: "Save changes" }), now: "Name now:Theirs" };
    },
  },
  "catalog.editBundle": {
    as: "admin",
    async begin({ page }) {
      const members = [(await newOffer()).productId, (await newOffer()).productId];
      const { bundleId } = await newBundleOffer(members, { 1: "10" }, "Suite");
      await page.goto(`/catalog/bundles/${bundleId}/edit`);
      // No field is typed into.
      await page
        .getByRole("button", { name: /^Move .* down$/ })
        .first()
        .click();
      const change = () => db().bundle.update({ where: { id: bundleId }, data: { name: "Theirs" } });
      return { change, submit: page.getByRole("button", { name: "Save changes" }), now: "Name now:Theirs" };
    },
  },
  "catalog.editCycle": {
    as: "admin",
    async begin({ page }) {
      const { productId, cycleId } = await newOffer();
      await page.goto(`/catalog/products/${productId}`);
      await page
        .getByRole("button", { name: /Monthly/ })
        .first()
        .click();
      await page.getByRole("menuitem", { name: /Edit|Rename/ }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Mine");
      const change = () => db().billingCycle.update({ where: { id: cycleId }, data: { name: "Theirs" } });
      return { change, submit: dialog.getByRole("button", { name: "Save" }), now: "Name now:Theirs" };
    },
  },
  "providers.edit": {
    as: "admin",
    async begin({ page, reseller, newUpstream }) {
      const name = await newUpstream(reseller);
      await page.goto(`/providers/${name}/edit`);
      await page.getByLabel(/^API key/).fill(reseller.apiKey);
      const baseUrl = `${reseller.baseUrl.replace("127.0.0.1", "localhost")}/api/v1/`;
      const change = () => db().provider.update({ where: { name }, data: { baseUrl } });
      return { change, submit: page.getByRole("button", { name: "Save changes" }), now: `Address now:${baseUrl}` };
    },
  },
  "top-ups.setSettings": {
    as: "admin",
    async begin({ page, reseller }) {
      await page.goto("/top-ups/settings");
      const settings = page.getByRole("region", { name: reseller.currency });
      if (!(await settings.getByLabel("Issuer").isVisible())) await settings.locator("summary").click();
      await settings.getByLabel("Issuer").fill("Mine");
      const { currency } = reseller;
      const data = { instructions: "Theirs" };
      const change = () =>
        db().paymentSetting.upsert({
          where: { currency },
          update: data,
          create: { currency, confirmAbove: 1n, ...data },
        });
      return { change, submit: settings.getByRole("button", { name: "Save" }), now: "Payment instructions now:Theirs" };
    },
  },
  "resellers.settings.saveProfile": {
    as: "admin",
    async begin({ page, reseller }) {
      await page.goto(`/resellers/${reseller.resellerId}/settings`);
      const card = page.getByRole("region", { name: "Reseller", exact: true });
      await card.getByLabel("Notes").fill("Mine");
      const where = { id: reseller.resellerId };
      const change = () => db().reseller.update({ where, data: { notes: "Theirs" } });
      return { change, submit: card.getByRole("button", { name: "Save" }), now: "Notes now:Theirs" };
    },
  },
  "resellers.settings.saveRenewals": {
    as: "admin",
    async begin({ page, reseller }) {
      await page.goto(`/resellers/${reseller.resellerId}/settings`);
      const card = page.getByRole("region", { name: "Renewals" });
      await card.getByLabel("Days of notice").fill("9");
      const where = { id: reseller.resellerId };
      const change = () => db().reseller.update({ where, data: { renewAheadDays: 5 } });
      return { change, submit: card.getByRole("button", { name: "Save" }), now: "lead time (days) now:5" };
    },
  },
};

/** What it would do is drawn again with each version that it sends. */
const following = ["relocations.start"];

test("each action that compares versions has its form below", () => {
  const versioned = globSync("app/**/*actions.ts").flatMap((file) => {
    const source = readFileSync(file, "utf8");
    const named = [...source.matchAll(/const (\w+) = z\s*\.?strictObject\([^;]*\bseenVersion\b[^;]*;/g)].map(
      ([, name]) => name,
    );
    const mark = new RegExp(`(?:bound: |\\b)(?:${["seenVersion", ...named].join("|")})\\b`);
    return source
      .split(/^export const /m)
      .slice(1)
      .filter((declaration) => mark.test(declaration.slice(0, declaration.search(/^\}\);/m))))
      .map((declaration) => /name: "([^"]+)"/.exec(declaration)?.[1] ?? "");
  });
  expect(versioned.sort()).toEqual([...Object.keys(forms), ...following].sort());
});

for (const [name, { as, begin }] of Object.entries(forms)) {
  test(`${name}: a change that a refresh brings under the form is said before it is overwritten`, async ({
    page,
    login,
    newReseller,
    newUpstream,
  }) => {
    // A currency of its own: each has one row of payment settings.
    const reseller = await newReseller({ currency: "SEK" });
    await login(as === "admin" ? "admin" : reseller);
    const { change, submit, now } = await begin({ page, reseller, newUpstream });
    await change();
    await refresh(page);
    await submit.click();
    const alert = page.getByRole("alert").filter({ hasText: "has changed since you opened this page." });
    await expect(alert).toContainText(now);
    await submit.click();
    await expect(alert).toHaveCount(0);
  });
}

/** As another form of the page does, or a return to the tab. */
async function refresh(page: Page): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().headers().rsc === "1");
  await page.evaluate(() => (window as unknown as { next: { router: { refresh(): void } } }).next.router.refresh());
  await answered;
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 100))));
}
