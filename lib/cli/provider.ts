import { Command } from "commander";
import { comparedFacts } from "#lib/domain/reconciliation.ts";
import type { ProviderBookEntry } from "#lib/ports/license-provider.ts";
import { getRuntime } from "#lib/runtime.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { readProviderBooks } from "#lib/services/provider/books.ts";
import { printJson } from "./output.ts";
import { addProviderImport } from "./provider-import.ts";
import { addProviderSetup } from "./provider-setup.ts";
import { runAsOperator } from "./run.ts";

export function providerCommand(): Command {
  const noun = new Command("provider").description("the upstream company that issues licenses");
  addProviderSetup(noun);
  addProviderImport(noun);
  noun
    .command("books")
    .description("show the provider's books")
    .option("--provider <name>", "which provider", "sandbox")
    .action(async (options: { provider: string }) => {
      const books = await runAsOperator((ctx) => readProviderBooks(ctx, options));
      printJson(books.map(present));
    });
  return noun;
}

export function reconcileCommand(): Command {
  return new Command("reconcile")
    .description("ask the provider for the outcome of every unknown operation, and settle the clear ones")
    .action(async () => {
      const summary = await runAsOperator(async (ctx) => {
        // A dead process's operations are released only after a few seconds.
        await getRuntime().processLease.deadReleased();
        return reconcileOperations(ctx, { early: true });
      });
      const { asked, succeeded, rejected, stillOpen } = summary;
      printJson({ asked, succeeded, rejected, still_open: stillOpen });
    });
}

/** A fact that the books do not report is null and named in `unreported`. */
function present({ reference, providerReference, facts }: ProviderBookEntry) {
  const { product, address, cores, state, term } = facts;
  const unreported = comparedFacts.filter((fact) => facts[fact] === undefined);
  return {
    reference,
    product: product ?? null,
    ip_address: address ?? null,
    cores: cores ?? null,
    state: state ?? null,
    expires_at: term !== undefined && "expiresAt" in term ? term.expiresAt : null,
    ...(term !== undefined && "expiresOn" in term ? { expires_on: term.expiresOn } : {}),
    ...(providerReference === undefined ? {} : { provider_reference: providerReference }),
    ...(unreported.length === 0 ? {} : { unreported }),
  };
}
