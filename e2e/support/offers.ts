import { randomUUID } from "node:crypto";
import { getRuntime } from "#lib/runtime.ts";
import { createBundle } from "#lib/services/catalog/create-bundle.ts";
import { createCycle } from "#lib/services/catalog/create-cycle.ts";
import { createProduct } from "#lib/services/catalog/create-product.ts";
import { createProvider } from "#lib/services/provider/create.ts";
import { test as base, expect } from "./dashboard.ts";
import { type Reseller, systemContext } from "./world.ts";

/** What is sold in it is seen by resellers of these tests alone: all others pay in other currencies. */
export const CURRENCY = "CHF";

/** Part of a name or a type that no other test has. */
export function newMark(): string {
  return randomUUID().slice(0, 8);
}

export interface OfferOptions {
  readonly name?: string;
  readonly description?: string;
  /** Major units in CHF, of each cycle by its months. */
  readonly prices?: Readonly<Record<number, string>>;
  /** Makes the product core-metered. */
  readonly pricePerCore?: string;
}

/** A product with list prices. */
export async function newOffer(options: OfferOptions = {}) {
  const type = `offer_${newMark()}`;
  const { name = `Offer ${type}`, description = "", prices = { 1: "10" }, pricePerCore } = options;
  const ctx = systemContext();
  const coreMetered = pricePerCore !== undefined;
  const product = { slug: type, name, description, coreMetered, workers: 0, provider: "sandbox", providerSku: type };
  const { productId } = await createProduct(ctx, product);
  const cycleIds: number[] = [];
  for (const [months, price] of Object.entries(prices)) {
    const { cycleId } = await createCycle(ctx, {
      owner: { productId },
      ...cycleOf(Number(months), price, pricePerCore),
    });
    cycleIds.push(cycleId);
  }
  return { productId, type, name, cycleId: cycleIds[0] ?? 0 };
}

export async function newBundleOffer(productIds: readonly number[], prices: OfferOptions["prices"], name: string) {
  const ctx = systemContext();
  const description = "What a server needs, at one price.";
  const { bundleId } = await createBundle(ctx, { name, description, productIds });
  for (const [months, price] of Object.entries(prices ?? {})) {
    await createCycle(ctx, { owner: { bundleId }, ...cycleOf(Number(months), price) });
  }
  return { bundleId, name };
}

const names: Readonly<Record<number, string>> = { 1: "Monthly", 3: "Quarterly", 12: "Yearly" };

function cycleOf(months: number, price: string, pricePerCore: string | null = null) {
  const name = names[months] ?? `${months} months`;
  return { name, months, providerCycle: null, currency: CURRENCY, price, setupFee: "", pricePerCore };
}

interface Fixtures {
  /** The server under test as its own provider: what this reseller can buy there is what it sells. */
  readonly newUpstream: (upstream: Reseller) => Promise<string>;
  /** Providers that are taken away afterwards with all that came from them: other tests compare everybody's books. */
  readonly upstreams: string[];
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its first parameter.
  upstreams: async ({}, use) => {
    const names: string[] = [];
    await use(names);
    for (const name of names) await expect(() => removeProvider(name)).toPass();
  },
  newUpstream: async ({ upstreams }, use) =>
    use(async ({ baseUrl, apiKey }) => {
      const name = `up-${newMark()}`;
      await createProvider(systemContext(), { name, baseUrl: `${baseUrl}/api/v1/`, apiKey });
      upstreams.push(name);
      return name;
    }),
});

/** Throws while it is compared. Its row is locked first, so that no comparison of it begins meanwhile. */
async function removeProvider(providerName: string): Promise<void> {
  const { prisma } = getRuntime().db;
  const product = { providerName };
  await prisma.$transaction([
    prisma.$queryRaw`select 1 from providers where name = ${providerName} for update`,
    prisma.$queryRaw`select 1 / (1 - count(*)) from provider_comparisons where provider = ${providerName} and finished_at is null`,
    prisma.price.deleteMany({ where: { cycle: { product } } }),
    prisma.billingCycle.deleteMany({ where: { product } }),
    prisma.product.deleteMany({ where: product }),
    prisma.reconciliationCase.deleteMany({ where: { providerName } }),
    prisma.providerComparison.deleteMany({ where: { providerName } }),
    prisma.providerHealth.deleteMany({ where: { providerName } }),
    prisma.provider.deleteMany({ where: { name: providerName } }),
  ]);
}

export { expect };
