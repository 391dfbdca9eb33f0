import type { Database } from "#lib/db/connection/client.ts";
import type { ProviderKind } from "#lib/db/generated/enums.ts";
import type { MemberFacts } from "#lib/domain/catalog.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";
import { type CatalogVersions, priceKey, readCatalogVersions } from "./version.ts";

export interface CatalogPrice extends CyclePrices {
  readonly currency: string;
  readonly version: string;
}

export interface CatalogCycle {
  readonly id: number;
  readonly name: string;
  readonly months: number;
  readonly providerCycle: string | null;
  readonly retiredAt: Date | null;
  /** The provider's charge at the last import. */
  readonly cost: Omit<CatalogPrice, "version"> | null;
  readonly prices: readonly CatalogPrice[];
  readonly version: string;
}

const cycles = {
  orderBy: { months: "asc" },
  include: { prices: { where: { resellerId: null }, orderBy: { currency: "asc" } } },
} as const;

interface CycleRow extends Omit<CatalogCycle, "cost" | "prices" | "version"> {
  readonly prices: readonly Omit<CatalogPrice, "version">[];
  readonly costCurrency: string | null;
  readonly costPrice: bigint | null;
  readonly costSetupFee: bigint | null;
  readonly costPerCore: bigint | null;
}

function toCycle(cycle: CycleRow, versions: CatalogVersions): CatalogCycle {
  const { id, name, months, providerCycle, retiredAt, prices, ...row } = cycle;
  const { costCurrency: currency, costPrice: price, costSetupFee, costPerCore: pricePerCore } = row;
  const cost =
    currency === null || price === null ? null : { currency, price, setupFee: costSetupFee ?? 0n, pricePerCore };
  return {
    id,
    name,
    months,
    providerCycle,
    retiredAt,
    cost,
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

export interface CatalogProduct {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly coreMetered: boolean;
  readonly workers: number;
  readonly providerName: string;
  readonly providerKind: ProviderKind;
  readonly providerSku: string;
  readonly retiredAt: Date | null;
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

export interface CatalogBundle {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly retiredAt: Date | null;
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

interface MemberRow {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly providerName: string;
  readonly coreMetered: boolean;
  readonly retiredAt: Date | null;
  readonly cycles: readonly { readonly months: number; readonly prices: readonly { readonly currency: string }[] }[];
}

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
