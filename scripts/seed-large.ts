/**
 * npm run seed:large [-- --count=1000000] [--resellers=12] [--add]
 * Seeds a large installation in the database of DATABASE_URL, or of the DATA_DIR of a stopped License Desk. Prints the
 * credentials of its largest reseller.
 */
import { Command, CommanderError } from "commander";
import { CommandLineError, describeFailure, toExitCode } from "#lib/cli/error.ts";
import { readInteger } from "#lib/cli/options.ts";
import { note, printJson } from "#lib/cli/output.ts";
import { runAsOperator } from "#lib/cli/run.ts";
import { findRunningPostgres } from "#lib/embedded/postgres.ts";
import { readEnv } from "#lib/env.ts";
import { countLicensesOfOthers, seedLarge } from "./large-seed/seed.ts";

interface Options {
  readonly count: number;
  readonly resellers: number;
  readonly add: boolean;
}

async function seed({ count, resellers, add }: Options): Promise<void> {
  const { DATABASE_URL, DATA_DIR } = readEnv();
  if (DATABASE_URL === undefined && findRunningPostgres(DATA_DIR) !== null) {
    throw new CommandLineError(`License Desk is running on ${DATA_DIR}: stop it first. Nothing was changed.`);
  }
  const run = runAsOperator(
    async (ctx) => {
      const others = add ? 0 : await countLicensesOfOthers(ctx);
      if (others > 0) {
        throw new CommandLineError(
          `This database has ${others} licenses already. Nothing was changed; --add adds to them.`,
        );
      }
      const databaseUrl = process.env.DATABASE_URL ?? "";
      return seedLarge(ctx, { databaseUrl, licenses: count, resellers, log: note });
    },
    { pepper: true },
  );
  const { resellerId, email, password, apiKey } = await run;
  printJson({ reseller_id: resellerId, email, password, api_key: apiKey });
}

const program = new Command("seed:large")
  .option("--count <number>", "licenses", readInteger, 1_000_000)
  .option("--resellers <number>", "the first gets four fifths of the licenses", readInteger, 12)
  .option("--add", "also where others have licenses", false)
  .action(seed)
  .exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  // Commander has already printed usage errors.
  if (!(error instanceof CommanderError)) note(describeFailure(error));
  process.exitCode = toExitCode(error);
}
