import type { Database } from "#lib/db/connection/client.ts";
import type { BillingCycle, Bundle, Price, Product } from "#lib/db/generated/client.ts";
import type { ProviderKind } from "#lib/db/generated/enums.ts";
import type { MemberFacts } from "#lib/domain/catalog.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";
import { importedCost } from "./price.ts";
import { type CatalogVersions, priceKey, readCatalogVersions } from "./version.ts";

export interface CatalogPrice extends CyclePrices {
  readonly currency: string;
  readonly version: string;
}

type StoredCycle = BillingCycle & { readonly prices: readonly Price[] };

export interface CatalogCycle
  extends Readonly<Pick<BillingCycle, "id" | "name" | "months" | "providerCycle" | "retiredAt">> {
  /** The provider's charge at the last import. */
  readonly cost: Omit<CatalogPrice, "version"> | null;
  readonly prices: readonly CatalogPrice[];
  readonly version: string;
}

const cycles = {
  orderBy: { months: "asc" },
  include: { prices: { where: { resellerId: null }, orderBy: { currency: "asc" } } },
} as const;

function toCycle(cycle: StoredCycle, versions: CatalogVersions): CatalogCycle {
  const { id, name, months, providerCycle, retiredAt, prices } = cycle;
  return {
    id,
    name,
    months,
    providerCycle,
    retiredAt,
    cost: importedCost(cycle),
    prices: prices.map(({ currency, price, setupFee, pricePerCore }) => ({
      currency,
      price,
      setupFee,
      pricePerCore,
      version: versions.prices.get(priceKey(id, currency)) ?? "",
    })),
    version: versions.cycles.get(id) ?? "",
  };
}

type ProductFacts = "id" | "slug" | "name" | "description" | "coreMetered" | "workers" | "providerName" | "providerSku";

export interface CatalogProduct extends Readonly<Pick<Product, ProductFacts | "retiredAt">> {
  readonly providerKind: ProviderKind;
  readonly cycles: readonly CatalogCycle[];
  readonly bundles: readonly { readonly id: number; readonly name: string; readonly retiredAt: Date | null }[];
  /** Not terminated. While there are any, provider and code cannot change. */
  readonly keptLicenses: number;
  /** Including resellers' own prices. While there are any, the metering cannot change. */
  readonly priceCount: number;
  readonly version: string;
}

export async function findCatalogProduct(db: Database, id: number): Promise<CatalogProduct | null> {
  const { prisma } = db;
  const versions = await readCatalogVersions(db, { productId: id });
  const [product, keptLicenses, priceCount] = await Promise.all([
    prisma.product.findUnique({
      where: { id },
      include: { cycles, provider: true, bundles: { include: { bundle: true } } },
    }),
    prisma.license.count({ where: { productId: id, terminatedAt: null } }),
    prisma.price.count({ where: { cycle: { productId: id } } }),
  ]);
  if (!product) return null;
  return {
    ...product,
    providerKind: product.provider.kind,
    cycles: product.cycles.map((cycle) => toCycle(cycle, versions)),
    bundles: product.bundles.map(({ bundle: { id, name, retiredAt } }) => ({ id, name, retiredAt })),
    keptLicenses,
    priceCount,
    version: versions.owner,
  };
}

export interface CatalogBundle extends Readonly<Pick<Bundle, "id" | "name" | "description" | "retiredAt">> {
  readonly members: readonly MemberProduct[];
  readonly cycles: readonly CatalogCycle[];
  readonly version: string;
}

export interface MemberProduct extends MemberFacts {
  readonly id: number;
  readonly slug: string;
}

const memberSelection = { cycles: { where: { retiredAt: null }, include: cycles.include } } as const;

export async function findCatalogBundle(db: Database, id: number): Promise<CatalogBundle | null> {
  const versions = await readCatalogVersions(db, { bundleId: id });
  const bundle = await db.prisma.bundle.findUnique({
    where: { id },
    include: {
      cycles,
      members: { orderBy: { position: "asc" }, include: { product: { include: memberSelection } } },
    },
  });
  if (!bundle) return null;
  return {
    ...bundle,
    cycles: bundle.cycles.map((cycle) => toCycle(cycle, versions)),
    members: bundle.members.map(({ product }) => toMember(product)),
    version: versions.owner,
  };
}

/** Products with these ids, unordered; null: all that are not retired, by name. */
export async function listMemberProducts(
  { prisma }: Database,
  ids: readonly number[] | null,
): Promise<readonly MemberProduct[]> {
  const where = ids === null ? { retiredAt: null } : { id: { in: [...ids] } };
  const products = await prisma.product.findMany({ where, orderBy: { name: "asc" }, include: memberSelection });
  return products.map(toMember);
}

type MemberRow = Product & { readonly cycles: readonly StoredCycle[] };

function toMember({ id, slug, name, providerName, coreMetered, retiredAt, cycles }: MemberRow): MemberProduct {
  return {
    id,
    slug,
    name,
    provider: providerName,
    coreMetered,
    retired: retiredAt !== null,
    cycles: cycles.map(({ months, prices }) => ({ months, currencies: prices.map(({ currency }) => currency) })),
  };
}
