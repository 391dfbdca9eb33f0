import { type AuditRecord, recordAudit } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import type { BillingCycle, Price, Product } from "#lib/db/generated/client.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";
import type { Currency } from "#lib/domain/money.ts";

type ImportedFields = Readonly<Pick<Product, "slug" | "name" | "coreMetered" | "workers" | "providerSku">>;

export interface StoredProduct extends ImportedFields, Readonly<Pick<Product, "id" | "retiredAt">> {
  /** With list prices and resellers' own prices. */
  readonly cycles: readonly (Readonly<Pick<BillingCycle, "id" | "name" | "months" | "providerCycle" | "retiredAt">> & {
    readonly prices: readonly Readonly<Omit<Price, "cycleId">>[];
  })[];
}

/** The target state of one product. Rows without an id are inserted. */
export interface ProductChange extends ImportedFields {
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
