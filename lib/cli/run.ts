import { listPendingMigrations } from "#lib/db/schema/migrate.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { findCopyReason, requireServersSecrets } from "#lib/server/deployment.ts";
import { migrationsDir, prepareDatabase } from "#lib/server/prepare-database.ts";
import { onBehalfOf, type ServiceContext } from "#lib/services/context.ts";
import { getReseller } from "#lib/services/reseller/get.ts";
import { CommandLineError } from "./error.ts";
import {
  deploymentOf,
  findSecrets,
  type Installation,
  requireStoredSecrets,
  secretsFile,
  withInstallation,
} from "./installation.ts";
import { note } from "./output.ts";

interface Needs {
  /** The command creates API keys, which requires the server's pepper. */
  readonly pepper?: boolean;
  /** The command stores or reads sealed secrets, which requires the server's ENCRYPTION_KEY. */
  readonly encryption?: boolean;
}

const INTERRUPTED =
  "Interrupted. A change may have been made: see the audit log of the dashboard before you repeat it. " +
  "A key, password or link that was not shown is lost: revoke it and create another.";

/** Runs a command as the operator, on the installation that the environment selects. */
export async function runAsOperator<Result>(
  command: (ctx: ServiceContext) => Promise<Result>,
  needs: Needs = {},
): Promise<Result> {
  const run = async (installation: Installation) => {
    try {
      await prepare(installation, needs);
      await getRuntime().processLease.ready();
      const ctx = getRuntime().contextFor({ kind: "system", name: "operator" }, { requestId: "admin" });
      return await command(ctx);
    } finally {
      await closeRuntime();
    }
  };
  return withInstallation(run, { message: INTERRUPTED, close: closeRuntime });
}

/** Acts for a reseller by a scope that reads. @throws DomainError `not_found` */
export async function actFor(
  ctx: ServiceContext,
  resellerId: ResellerId,
  scope: "licenses:read" | "wallet:read",
): Promise<ServiceContext> {
  const acting = onBehalfOf(ctx, resellerId, [scope]);
  await getReseller(acting);
  return acting;
}

async function prepare(installation: Installation, needs: Needs): Promise<void> {
  const { env, databaseUrl, embedded } = installation;
  const { apiKeyPepper, isServers, encryptionKey } = findSecrets(installation);
  if (needs.pepper && !isServers) {
    throw new CommandLineError(
      `API_KEY_PEPPER is not set and there is no ${secretsFile(installation)}: give this command the server's.`,
    );
  }
  if (needs.encryption && encryptionKey === undefined) {
    throw new CommandLineError(
      `ENCRYPTION_KEY is not set and there is no ${secretsFile(installation)}: give this command the server's.`,
    );
  }
  // stdout is reserved for the command.
  Object.assign(process.env, { DATABASE_URL: databaseUrl, API_KEY_PEPPER: apiKeyPepper, LOG_LEVEL: "silent" });
  if (encryptionKey !== undefined) process.env.ENCRYPTION_KEY = encryptionKey;
  if (embedded) {
    const deployment = { ...deploymentOf(installation), secrets: requireStoredSecrets(installation) };
    const { safeMode } = await prepareDatabase({ ...deployment, safeMode: env.SAFE_MODE === "on", log: note });
    if (safeMode) process.env.SAFE_MODE = "on";
    return;
  }
  const given = { API_KEY_PEPPER: isServers ? apiKeyPepper : undefined, ENCRYPTION_KEY: encryptionKey };
  await requireServersSecrets(databaseUrl, given);
  const pending = await listPendingMigrations({ databaseUrl, migrationsDir });
  if (pending.length === 0) {
    const reason = await findCopyReason(deploymentOf(installation));
    if (reason === null) return;
    note(`Safe mode: ${reason}. Nothing can be changed until "deployment resume".`);
    process.env.SAFE_MODE = "on";
    return;
  }
  throw new CommandLineError(
    `This database lacks ${pending.length === 1 ? "the migration" : "the migrations"} ${pending.join(", ")}. ` +
      "Start this version of License Desk on it, which applies them, then try again. Nothing was changed.",
  );
}
