import { type Command, Option } from "commander";
import { type CyclePrices, type MarkupRounding, markupRoundings } from "#lib/domain/markup.ts";
import { type Currency, toMajorNumber } from "#lib/domain/money.ts";
import { importFromProvider } from "#lib/services/catalog/import-from-provider.ts";
import type { ImportedProduct } from "#lib/services/catalog/plan-import.ts";
import { printJson } from "./output.ts";
import { runAsOperator } from "./run.ts";

type ImportOptions = {
  name: string;
  percent: string;
  fixed: string;
  rounding: MarkupRounding;
  allowBelowCost?: boolean;
  dryRun?: boolean;
};

export function addProviderImport(noun: Command): void {
  noun
    .command("import")
    .description("import a provider's products, with list prices by a markup on their cost")
    .requiredOption("--name <name>", "which provider")
    .requiredOption("--percent <number>", "on the provider's price, such as 12.5")
    .option("--fixed <amount>", "added to each cycle's price, in the provider's currency", "0")
    .addOption(
      new Option("--rounding <how>", "always upwards")
        .choices(markupRoundings)
        .default("none" satisfies MarkupRounding),
    )
    .option("--allow-below-cost", "allow prices below cost with a negative markup")
    .option("--dry-run", "show the changes without making them")
    .action(async ({ name, dryRun = false, ...rule }: ImportOptions) => {
      const plan = await runAsOperator((ctx) => importFromProvider(ctx, { ...rule, provider: name, dryRun }), {
        encryption: true,
      });
      printJson({
        dry_run: dryRun,
        products: plan.products.map(presentProduct),
        skipped: plan.skipped,
        no_longer_sold: plan.missing,
        cycles_no_longer_sold: plan.missingCycles.map(({ slug, months }) => ({ product: slug, months })),
      });
    });
}

function presentProduct({ change, cycles }: ImportedProduct) {
  return {
    product: change.slug,
    name: change.name,
    is_new: change.id === null,
    cycles: cycles.map(({ cycle, currency, cost, before, belowCost, overridesBelowCost }) => ({
      months: cycle.months,
      currency,
      cost: presentPrices(cost, currency),
      list_price: presentPrices(cycle.price, currency),
      list_price_before: before && presentPrices(before, currency),
      ...(belowCost === null ? {} : { below_cost: belowCost }),
      ...(overridesBelowCost.length === 0
        ? {}
        : {
            resellers_below_cost: overridesBelowCost.map(({ resellerId, price }) => ({
              reseller_id: resellerId,
              price: presentPrices(price, currency),
            })),
          }),
    })),
  };
}

/** In major units. */
function presentPrices({ price, setupFee, pricePerCore }: CyclePrices, currency: Currency) {
  return {
    price: toMajorNumber(price, currency),
    setup_fee: toMajorNumber(setupFee, currency),
    price_per_core: pricePerCore === null ? null : toMajorNumber(pricePerCore, currency),
  };
}
