import { randomUUID } from "node:crypto";
import pg from "pg";
import type { ResellerId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import { seedCatalog } from "#lib/seed/catalog.ts";
import { someBundleName, someProductName } from "./names.ts";

const SEED_LOCK = 7_310_001;

/** Seeds the list of products once a database, whichever worker comes first. */
export async function ensureCatalog(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [SEED_LOCK]);
    const { rowCount } = await client.query("select 1 from products where slug = 'control_panel'");
    if (rowCount === 0) await seedCatalog(getRuntime().db);
  } finally {
    await client.end();
  }
}

export interface ProductOptions {
  readonly months?: number;
  /** Minor units. */
  readonly price?: bigint;
  readonly setupFee?: bigint;
  /** Makes the product core-metered. */
  readonly pricePerCore?: bigint;
  readonly workers?: number;
}

export interface TestProduct {
  readonly product_id: number;
  readonly cycle_id: number;
  readonly type: string;
  readonly name: string;
}

interface Buyer {
  readonly resellerId: ResellerId;
  readonly currency: string;
}

/** A product that only one reseller can buy: nobody else's license can be on the same address (contract 3.3). */
export async function createProduct(buyer: Buyer, options: ProductOptions = {}): Promise<TestProduct> {
  const slug = `product_${randomUUID().slice(0, 13)}`;
  const name = someProductName();
  const product = await getRuntime().db.prisma.product.create({
    data: {
      slug,
      name,
      coreMetered: options.pricePerCore !== undefined,
      workers: options.workers ?? 0,
      providerSku: slug,
      cycles: { create: cycleOf(buyer, options) },
    },
    select: { id: true, cycles: { select: { id: true } } },
  });
  return { product_id: product.id, cycle_id: product.cycles[0]?.id ?? 0, type: slug, name };
}

/** Another cycle of a product or a bundle; returns its id. */
export async function addCycle(
  buyer: Buyer,
  owner: { readonly productId: number } | { readonly bundleId: number },
  options: ProductOptions,
): Promise<number> {
  const data = { ...owner, ...cycleOf(buyer, options) };
  const { id } = await getRuntime().db.prisma.billingCycle.create({ data, select: { id: true } });
  return id;
}

export interface TestBundle {
  readonly name: string;
  readonly bundle_id: number;
  readonly cycle_id: number;
  readonly products: readonly TestProduct[];
}

/** A bundle of products of its own; `members` says what each is like. */
export async function createBundle(
  buyer: Buyer,
  members: readonly ProductOptions[],
  options: ProductOptions = {},
): Promise<TestBundle> {
  const products: TestProduct[] = [];
  for (const member of members) products.push(await createProduct(buyer, member));
  const bundle = await getRuntime().db.prisma.bundle.create({
    data: {
      name: someBundleName(),
      members: { create: products.map(({ product_id }, position) => ({ position, productId: product_id })) },
      cycles: { create: cycleOf(buyer, options) },
    },
    select: { id: true, name: true, cycles: { select: { id: true } } },
  });
  return { name: bundle.name, bundle_id: bundle.id, cycle_id: bundle.cycles[0]?.id ?? 0, products };
}

function cycleOf({ resellerId, currency }: Buyer, options: ProductOptions) {
  const { months = 1, price = 1000n, setupFee = 0n, pricePerCore = null } = options;
  return {
    name: months === 1 ? "Monthly" : `${months} months`,
    months,
    prices: { create: { resellerId, currency, price, setupFee, pricePerCore } },
  };
}

/** Changes what a cycle costs its one buyer, as an admin does while pages are open; minor units. */
export async function changePrice(cycleId: number, price: bigint): Promise<void> {
  await getRuntime().db.prisma.price.updateMany({ where: { cycleId }, data: { price } });
}
