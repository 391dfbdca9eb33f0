import { Command } from "commander";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { readProviderBooks } from "#lib/services/provider/books.ts";
import { printJson } from "./output.ts";
import { addProviderImport } from "./provider-import.ts";
import { addProviderSetup } from "./provider-setup.ts";
import { asOperator } from "./run.ts";

export function providerCommand(): Command {
  const noun = new Command("provider").description("the upstream company that issues licenses");
  addProviderSetup(noun);
  addProviderImport(noun);
  noun
    .command("books")
    .description("show what the provider holds, by its own account")
    .option("--provider <name>", "which provider", "sandbox")
    .action(async (options: { provider: string }) => {
      const books = await asOperator((ctx) => readProviderBooks(ctx, options));
      printJson(
        books.map(({ reference, product, ipAddress, cores, state, providerReference, expiresOn, untold }) => ({
          reference,
          product,
          ip_address: ipAddress,
          cores,
          state,
          ...(providerReference === undefined ? {} : { provider_reference: providerReference }),
          ...(expiresOn === undefined ? {} : { expires_on: expiresOn }),
          ...(untold === undefined ? {} : { untold }),
        })),
      );
    });
  return noun;
}

export function reconcileCommand(): Command {
  return new Command("reconcile")
    .description("ask the provider now about every operation whose outcome is unknown, and settle what is clear")
    .action(async () => {
      const summary = await asOperator((ctx) => reconcileOperations(ctx, { unknownNow: true }));
      const { asked, succeeded, rejected, stillOpen } = summary;
      printJson({ asked, succeeded, rejected, still_open: stillOpen });
    });
}
