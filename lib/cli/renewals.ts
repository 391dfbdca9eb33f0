import { Command } from "commander";
import type { ResellerId } from "#lib/domain/ids.ts";
import { runDueRenewals } from "#lib/services/renewals/run-due.ts";
import { readId } from "./options.ts";
import { printJson } from "./output.ts";
import { actFor, runAsOperator } from "./run.ts";

export function renewalsCommand(): Command {
  const noun = new Command("renewals").description("automatic renewals");
  noun
    .command("run")
    .description("renew now what is due, as the worker does every five minutes")
    .option("--reseller <id>", "only this reseller's", readId<ResellerId>)
    .action(async ({ reseller }: { reseller?: ResellerId }) => {
      const run = await runAsOperator(async (ctx) => {
        if (reseller === undefined) return runDueRenewals(ctx);
        await actFor(ctx, reseller, "licenses:read");
        return runDueRenewals(ctx, { resellerId: reseller });
      });
      printJson(run);
    });
  return noun;
}
