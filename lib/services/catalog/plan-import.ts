import { createHash } from "node:crypto";
import type { ProductChange, StoredProduct } from "#lib/db/catalog/import.ts";
import type { MarkupRule } from "#lib/domain/markup.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { ProviderProduct } from "#lib/ports/license-provider.ts";
import { type ImportedCycle, type ImportStatus, importCycle } from "./import-cycle.ts";

export interface ImportedProduct {
  readonly change: ProductChange;
  /** Whether its name, its workers or a cycle changes. */
  readonly status: ImportStatus;
  readonly cycles: readonly ImportedCycle[];
}

export interface ImportPlan {
  readonly products: readonly ImportedProduct[];
  /** What cannot be imported, with the reason. */
  readonly skipped: readonly { readonly sku: string; readonly cycle: string | null; readonly reason: string }[];
  /** Our products on sale that the provider no longer sells. */
  readonly missing: readonly string[];
  /** Our cycles on sale, of products that it still sells, that the provider no longer sells. */
  readonly missingCycles: readonly { readonly slug: string; readonly months: number }[];
}

/** Plans an import without changing anything. `ruleFor`: the markup rule in a currency. */
export function planImport(input: {
  readonly offered: readonly ProviderProduct[];
  readonly stored: readonly StoredProduct[];
  readonly slugs: ReadonlySet<string>;
  readonly ruleFor: (currency: Currency) => MarkupRule;
}): ImportPlan {
  const { offered, stored, ruleFor } = input;
  const slugs = new Set(input.slugs);
  const skipped: { sku: string; cycle: string | null; reason: string }[] = [];
  const products: ImportedProduct[] = [];
  for (const offer of offered) {
    const known = stored.find(({ providerSku }) => providerSku === offer.sku);
    if (known && known.coreMetered !== offer.coreMetered) {
      skipped.push({ sku: offer.sku, cycle: null, reason: "whether it is metered by cores has changed" });
      continue;
    }
    const cycles: ImportedCycle[] = [];
    for (const cycle of offer.cycles) {
      const taken = cycles.some(({ cycle: { months } }) => months === cycle.months);
      const imported = taken ? "another cycle has the same number of months" : importCycle(cycle, known, ruleFor);
      if (typeof imported === "string") skipped.push({ sku: offer.sku, cycle: cycle.cycle, reason: imported });
      else cycles.push(imported);
    }
    const slug = known?.slug ?? freeSlug(offer.type, slugs);
    slugs.add(slug);
    const { name, coreMetered, workers, sku: providerSku } = offer;
    const change = { id: known?.id ?? null, slug, name, coreMetered, workers, providerSku };
    const same =
      known?.name === name && known.workers === workers && cycles.every(({ status }) => status === "unchanged");
    products.push({
      change: { ...change, cycles: cycles.map(({ cycle }) => cycle) },
      status: known === undefined ? "new" : same ? "unchanged" : "changed",
      cycles,
    });
  }
  const onSale = stored.filter(({ retiredAt }) => retiredAt === null);
  const offers = new Map(offered.map((offer) => [offer.sku, offer]));
  return {
    products,
    skipped,
    missing: onSale.filter(({ providerSku }) => !offers.has(providerSku)).map(({ slug }) => slug),
    missingCycles: onSale.flatMap(({ slug, providerSku, cycles }) => {
      const offer = offers.get(providerSku);
      const isMissing = ({ retiredAt, months }: StoredProduct["cycles"][number]) =>
        offer && retiredAt === null && !offer.cycles.some((cycle) => cycle.months === months);
      return cycles.filter(isMissing).map(({ months }) => ({ slug, months }));
    }),
  };
}

/** The provider's type, or `type_2`, `type_3`, … if it is taken. */
function freeSlug(type: string, taken: ReadonlySet<string>): string {
  if (!taken.has(type)) return type;
  for (let suffix = 2; ; suffix++) {
    const slug = `${type}_${suffix}`;
    if (!taken.has(slug)) return slug;
  }
}

/** Changes with the provider's offer and our prices. */
export function fingerprintSecret(plan: ImportPlan): string {
  const text = JSON.stringify(plan, (_, value) => (typeof value === "bigint" ? value.toString() : value));
  return createHash("sha256").update(text).digest("base64url");
}
