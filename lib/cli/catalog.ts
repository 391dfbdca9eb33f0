import { Command } from "commander";
import { countCatalog } from "#lib/db/seed/catalog.ts";
import { seedCatalog } from "#lib/seed/catalog.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { CommandLineError } from "./error.ts";
import { printJson } from "./output.ts";
import { runAsOperator } from "./run.ts";

export function catalogCommand(): Command {
  const noun = new Command("catalog").description("products and prices");
  noun
    .command("seed")
    .description("fill an empty catalog with example products, bundles and list prices")
    .action(async () => printJson(await runAsOperator(seedEmptyCatalog)));
  return noun;
}

async function seedEmptyCatalog({ db }: ServiceContext): Promise<{ products: number; bundles: number }> {
  if ((await countCatalog(db)).products > 0)
    throw new CommandLineError("A catalog already exists. Nothing was changed.");
  await seedCatalog(db);
  return countCatalog(db);
}
