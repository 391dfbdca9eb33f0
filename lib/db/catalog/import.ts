import { type AuditRecord, recordAudit } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";
import type { Currency } from "#lib/domain/money.ts";

/** Minor units; a list price or a reseller's own price. */
export interface StoredPrice extends CyclePrices {
  readonly id: number;
  readonly resellerId: number | null;
  readonly currency: string;
}

export interface StoredProduct {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly coreMetered: boolean;
  readonly workers: number;
  readonly providerSku: string;
  readonly retiredAt: Date | null;
  readonly cycles: readonly {
    readonly id: number;
    readonly name: string;
    readonly months: number;
    readonly providerCycle: string | null;
    readonly retiredAt: Date | null;
    readonly prices: readonly StoredPrice[];
  }[];
}

/** The target state of one product. Rows without an id are inserted. */
export interface ProductChange extends Omit<StoredProduct, "id" | "retiredAt" | "cycles"> {
  readonly id: number | null;
  readonly cycles: readonly CycleChange[];
}

export interface CycleChange {
  readonly id: number | null;
  readonly name: string;
  readonly months: number;
  readonly providerCycle: string;
  readonly price: CyclePrices & { readonly id: number | null; readonly currency: Currency };
  /** What the provider charges, in the price's currency, to show markups. */
  readonly cost: CyclePrices;
}

export async function listProductsOfProvider(db: Database, providerName: string): Promise<readonly StoredProduct[]> {
  return db.prisma.product.findMany({
    where: { providerName },
    orderBy: { id: "asc" },
    include: { cycles: { orderBy: { months: "asc" }, include: { prices: true } } },
  });
}

/** Slugs are unique across providers. */
export async function listSlugs(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.prisma.product.findMany({ select: { slug: true } });
  return new Set(rows.map(({ slug }) => slug));
}

/** Writes all changes or none. Does not change resellers' own prices. */
export async function writeProducts(
  db: Database,
  providerName: string,
  changes: readonly ProductChange[],
  audit: AuditRecord,
): Promise<void> {
  const { prisma } = db;
  const writes = changes.flatMap(({ id, cycles, ...product }) =>
    id === null
      ? [prisma.product.create({ data: { ...product, providerName, cycles: { create: cycles.map(newCycle) } } })]
      : [
          prisma.product.update({ where: { id }, data: { name: product.name, workers: product.workers } }),
          ...cycles.flatMap((cycle) => writeCycle(db, id, cycle)),
        ],
  );
  await prisma.$transaction([...writes, recordAudit(db, audit)]);
}

function newCycle(cycle: CycleChange) {
  const { name, months, providerCycle, price: listPrice } = cycle;
  const { id: _, ...price } = listPrice;
  return { name, months, providerCycle, ...costOf(cycle), prices: { create: [price] } };
}

function costOf({ cost, price: { currency } }: CycleChange) {
  return {
    costCurrency: currency,
    costPrice: cost.price,
    costSetupFee: cost.setupFee,
    costPerCore: cost.pricePerCore,
  };
}

function writeCycle({ prisma }: Database, productId: number, cycle: CycleChange) {
  const { id, name, providerCycle } = cycle;
  if (id === null) return [prisma.billingCycle.create({ data: { ...newCycle(cycle), productId } })];
  const { id: priceId, ...price } = cycle.price;
  return [
    prisma.billingCycle.update({ where: { id }, data: { name, providerCycle, ...costOf(cycle) } }),
    priceId === null
      ? prisma.price.create({ data: { ...price, cycleId: id } })
      : prisma.price.update({ where: { id: priceId }, data: price }),
  ];
}
