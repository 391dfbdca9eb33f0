import { Command } from "commander";
import { readDatabaseFacts } from "#lib/db/doctor/facts.ts";
import { hasDatabase } from "#lib/embedded/postgres.ts";
import { describeUnfinishedRestore } from "#lib/embedded/unfinished-restore.ts";
import { type Env, readEnv } from "#lib/env.ts";
import { failed, ok, type Result, runChecks, warning } from "./doctor/check.ts";
import { databaseChecks } from "./doctor/database.ts";
import { environmentChecks } from "./doctor/environment.ts";
import { describeFailure } from "./error.ts";
import { type Installation, withInstallation } from "./installation.ts";
import { printJson } from "./output.ts";

export function doctorCommand(): Command {
  return new Command("doctor")
    .description("check the environment, the machine and the database; exit code 1 if a check fails")
    .action(async () => {
      const checks = await diagnose();
      printJson({ checks });
      if (checks.some(({ status }) => status === "failed")) process.exitCode = 1;
    });
}

async function diagnose(): Promise<Result[]> {
  let env: Env;
  try {
    env = readEnv();
  } catch (error) {
    return [{ check: "variables", ...failed(describeFailure(error).replaceAll("\n", " "), "Correct them.") }];
  }
  return [
    { check: "variables", ...ok("valid") },
    ...(await runChecks(environmentChecks, env)),
    ...(await diagnoseDatabase(env)),
  ];
}

async function diagnoseDatabase({ DATABASE_URL, DATA_DIR }: Env): Promise<Result[]> {
  const unfinished = DATABASE_URL === undefined ? describeUnfinishedRestore(DATA_DIR) : null;
  if (unfinished !== null) return [{ check: "database", ...failed(unfinished, "Run the restore again.") }];
  if (DATABASE_URL === undefined && !hasDatabase(DATA_DIR)) {
    return [{ check: "database", ...warning("there is none yet", "Start License Desk, which creates it.") }];
  }
  return withInstallation(diagnoseInstallation);
}

async function diagnoseInstallation({ env, databaseUrl }: Installation): Promise<Result[]> {
  try {
    const facts = await readDatabaseFacts(databaseUrl);
    return [
      { check: "database", ...ok("it answers") },
      ...(await runChecks(databaseChecks, { env, databaseUrl, facts })),
    ];
  } catch (error) {
    return [
      { check: "database", ...failed(describeFailure(error), "Check DATABASE_URL, the server and the network.") },
    ];
  }
}
