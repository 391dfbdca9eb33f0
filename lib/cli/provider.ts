import { Command } from "commander";
import { comparedFacts } from "#lib/domain/reconciliation.ts";
import type { ProviderBookEntry } from "#lib/ports/license-provider.ts";
import { getRuntime } from "#lib/runtime.ts";
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
      printJson(books.map(present));
    });
  return noun;
}

export function reconcileCommand(): Command {
  return new Command("reconcile")
    .description("ask the provider now about every operation whose outcome is unknown, and settle what is clear")
    .action(async () => {
      const summary = await asOperator(async (ctx) => {
        // What a process was at that has died is free only after a few seconds of contact to the database.
        await getRuntime().processLease.deadReleased();
        return reconcileOperations(ctx, { early: true });
      });
      const { asked, succeeded, rejected, stillOpen } = summary;
      printJson({ asked, succeeded, rejected, still_open: stillOpen });
    });
}

/** A fact that the books do not tell is named in `unreported`, and null. */
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
