import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import { createBundle } from "#lib/services/catalog/create-bundle.ts";
import { createCycle } from "#lib/services/catalog/create-cycle.ts";
import { createProduct } from "#lib/services/catalog/create-product.ts";
import { getCatalogBundle } from "#lib/services/catalog/get-bundle.ts";
import { getCatalogProduct } from "#lib/services/catalog/get-product.ts";
import { listResellerPrices } from "#lib/services/catalog/list-reseller-prices.ts";
import { removePrice } from "#lib/services/catalog/remove-price.ts";
import { setPrice } from "#lib/services/catalog/set-price.ts";
import { updateBundle } from "#lib/services/catalog/update-bundle.ts";
import { updateCycle } from "#lib/services/catalog/update-cycle.ts";
import { updateProduct } from "#lib/services/catalog/update-product.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { createProvider } from "#lib/services/provider/create.ts";
import { listProviders } from "#lib/services/provider/list.ts";
import { updateProvider } from "#lib/services/provider/update.ts";
import { setPriceRules } from "#lib/services/renewals/set-price-rules.ts";
import { getReseller } from "#lib/services/reseller/get.ts";
import { setRenewalSettings } from "#lib/services/reseller/set-renewal-settings.ts";
import { getResellerSettings, updateReseller } from "#lib/services/reseller/settings.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { getWebhookEndpoint } from "#lib/services/webhook/get.ts";
import { updateWebhookEndpoint } from "#lib/services/webhook/update.ts";
import { actors } from "#tests/support/actors.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
let reseller: ResellerWorld;
let names = 0;

beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller();
});
afterAll(() => world.close());

const admin = (change: { readonly seenVersion?: string } = {}) => sealing(world.context(actors.admin(null), change));

function sealing(ctx: ServiceContext): ServiceContext {
  const sealingKey = parseSealingKey(Buffer.alloc(32, 7).toString("base64"));
  return { ...ctx, settings: { ...ctx.settings, sealingKey } };
}

const price = (text: string) => ({ price: text, setupFee: "", pricePerCore: null });

async function newProduct() {
  const slug = `product_${++names}`;
  const fields = {
    slug,
    name: `Product ${names}`,
    description: "",
    coreMetered: false,
    workers: 0,
    provider: "sandbox",
    providerSku: slug,
  };
  const { productId } = await createProduct(admin(), fields);
  const cycle = { name: "Monthly", months: 1, providerCycle: null, currency: "USD", ...price("10") };
  const { cycleId } = await createCycle(admin(), { owner: { productId }, ...cycle });
  return { ...fields, productId, cycleId };
}

async function theCycle(productId: number) {
  const [cycle] = (await getCatalogProduct(admin(), { productId })).cycles;
  if (!cycle) throw new Error("a product without a cycle");
  return cycle;
}

const listVersion = async (productId: number) => (await theCycle(productId)).prices[0]?.version ?? "";
const own = (cycleId: number) => ({ resellerId: reseller.id, cycleId, currency: "USD" });
const ownVersion = async (cycleId: number) => {
  const { rows } = await listResellerPrices(admin(), { resellerId: reseller.id });
  return rows.find((row) => row.cycleId === cycleId)?.ownVersion ?? "";
};

interface Form {
  /** Version that the page shows. */
  readonly seen: () => Promise<string>;
  readonly save: (ctx: ServiceContext, value: string) => Promise<unknown>;
  /** Nothing is left to save again. */
  readonly removes?: true;
}

/** `value`: digits, different for each admin. */
const forms: Readonly<Record<string, () => Promise<Form>>> = {
  "a list price": async () => {
    const { productId, cycleId } = await newProduct();
    return {
      seen: () => listVersion(productId),
      save: (ctx, value) => setPrice(ctx, { resellerId: null, cycleId, currency: "USD", ...price(value) }),
    };
  },
  "the first price in a currency": async () => {
    const { productId, cycleId } = await newProduct();
    return {
      seen: async () => (await theCycle(productId)).prices.find(({ currency }) => currency === "EUR")?.version ?? "",
      save: (ctx, value) => setPrice(ctx, { resellerId: null, cycleId, currency: "EUR", ...price(value) }),
    };
  },
  "the removal of a list price": async () => {
    const { productId, cycleId } = await newProduct();
    return {
      seen: () => listVersion(productId),
      save: (ctx) => removePrice(ctx, { resellerId: null, cycleId, currency: "USD" }),
      removes: true,
    };
  },
  "a reseller's own price": async () => {
    const { cycleId } = await newProduct();
    return {
      seen: () => ownVersion(cycleId),
      save: (ctx, value) => setPrice(ctx, { ...own(cycleId), ...price(value) }),
    };
  },
  "the removal of an own price": async () => {
    const { cycleId } = await newProduct();
    await setPrice(admin(), { ...own(cycleId), ...price("7") });
    return {
      seen: () => ownVersion(cycleId),
      save: (ctx) => removePrice(ctx, own(cycleId)),
      removes: true,
    };
  },
  "a product": async () => {
    const product = await newProduct();
    return {
      seen: async () => (await getCatalogProduct(admin(), product)).version,
      save: (ctx, value) => updateProduct(ctx, { ...product, name: `Name ${value}` }),
    };
  },
  "a billing cycle": async () => {
    const { productId, cycleId } = await newProduct();
    return {
      seen: async () => (await theCycle(productId)).version,
      save: (ctx, value) => updateCycle(ctx, { cycleId, name: `Name ${value}`, providerCycle: null }),
    };
  },
  "a bundle and its members": async () => {
    const [one, other, third] = [await newProduct(), await newProduct(), await newProduct()];
    const bundle = { name: `Bundle ${++names}`, description: "", productIds: [one.productId, other.productId] };
    const { bundleId } = await createBundle(admin(), bundle);
    return {
      seen: async () => (await getCatalogBundle(admin(), { bundleId })).version,
      save: (ctx) => updateBundle(ctx, { ...bundle, bundleId, productIds: [third.productId, one.productId] }),
    };
  },
  "a provider": async () => {
    const name = `upstream-${++names}`;
    const baseUrl = "https://up.example/api/v1/";
    await createProvider(admin(), { name, baseUrl, apiKey: "lk_live_first" });
    return {
      seen: async () => (await listProviders(admin())).find((provider) => provider.name === name)?.version ?? "",
      save: (ctx, value) =>
        updateProvider(ctx, { name, baseUrl: `https://up${value}.example/api/v1/`, apiKey: "lk_live_first" }),
    };
  },
  "a reseller's profile": async () => ({
    seen: async () => (await getResellerSettings(admin(), { resellerId: reseller.id })).profileVersion,
    save: (ctx, value) => updateReseller(ctx, { resellerId: reseller.id, notes: `Notes ${value}` }),
  }),
  "a reseller's renewal settings": async () => ({
    seen: async () => (await getResellerSettings(admin(), { resellerId: reseller.id })).renewalsVersion,
    save: (ctx, value) => setRenewalSettings(ctx, { resellerId: reseller.id, renewAheadDays: Number(value) }),
  }),
  "the limits of automatic renewals": async () => ({
    seen: async () => (await getReseller(user())).priceRules.version,
    save: (ctx, value) => setPriceRules(user(ctx), { noticeDays: Number(value), maxIncreasePercent: 10 }),
  }),
  "a webhook endpoint": async () => {
    const { endpoint } = await createWebhookEndpoint(user(), { url: `https://hooks${++names}.example/` });
    return {
      seen: async () => (await getWebhookEndpoint(user(), { endpointId: endpoint.id })).version,
      save: (ctx, value) =>
        updateWebhookEndpoint(user(ctx), { endpointId: endpoint.id, description: `For ${value}`, url: endpoint.url }),
    };
  },
};

/** Of the reseller, who may be two as well. */
const user = ({ seenVersion }: Pick<ServiceContext, "seenVersion"> = {}) =>
  sealing(world.context(actors.user(reseller.id), seenVersion ? { seenVersion } : {}));

const changes = async () => world.db.prisma.auditEntry.count();

describe.each(Object.entries(forms))("%s", (_, newForm) => {
  test("of concurrent saves one succeeds, and the others get changed_meanwhile and change nothing", async () => {
    const form = await newForm();
    const seenVersion = await form.seen();
    const before = await changes();
    const attempts = ["11", "12", "13", "14"].map((value) => form.save(admin({ seenVersion }), value));
    const refusals = (await Promise.allSettled(attempts)).filter(({ status }) => status === "rejected");
    expect(refusals).toHaveLength(3);
    for (const { reason } of refusals as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({ code: "changed_meanwhile" });
    }
    expect(await changes()).toBe(before + 1);
    if (form.removes) return;
    // With the new version, saving works again.
    await form.save(admin({ seenVersion: await form.seen() }), "15");
    expect(await changes()).toBe(before + 2);
  });
});

test("saving one form of a reseller's settings does not outdate the other", async () => {
  const resellerId = reseller.id;
  const { profileVersion, renewalsVersion } = await getResellerSettings(admin(), { resellerId });
  await setRenewalSettings(admin({ seenVersion: renewalsVersion }), { resellerId, renewAheadDays: 21 });
  await updateReseller(admin({ seenVersion: profileVersion }), { resellerId, notes: "Pays by the quarter" });
  expect(await getResellerSettings(admin(), { resellerId })).toMatchObject({
    renewAheadDays: 21,
    notes: "Pays by the quarter",
  });
});

test("saving a bundle stores its members in order, and the audit log has the former ones", async () => {
  const [one, other, third] = [await newProduct(), await newProduct(), await newProduct()];
  const fields = { name: `Bundle ${++names}`, description: "" };
  const former = [one.productId, other.productId];
  const { bundleId } = await createBundle(admin(), { ...fields, productIds: former });
  const chosen = [third.productId, one.productId];
  await updateBundle(admin(), { ...fields, bundleId, productIds: chosen });
  expect((await getCatalogBundle(admin(), { bundleId })).members.map(({ id }) => id)).toEqual(chosen);
  const where = { subject: `bundle:${bundleId}`, action: "catalog.update_bundle" };
  expect(await world.db.prisma.auditEntry.findMany({ where })).toMatchObject([
    { data: { changes: { members: { before: former, after: chosen } } } },
  ]);
});
