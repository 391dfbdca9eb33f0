/** Checks of a database that answers. */

import { findStoredSecrets } from "#lib/cli/installation.ts";
import { measureClockSkewMs } from "#lib/db/connection/clock-skew.ts";
import { readReplicaState, requireDirectDatabase, requirePooler } from "#lib/db/connection/pooler.ts";
import { listPendingMigrations } from "#lib/db/schema/migrate.ts";
import { isBackupOverdue } from "#lib/domain/backup-rotation.ts";
import { isLoopback } from "#lib/domain/loopback.ts";
import { clockText, judgeClock } from "#lib/domain/machine-health.ts";
import { findPartitionProblem } from "#lib/domain/partitions.ts";
import { jobTitlesText } from "#lib/domain/scheduled-jobs.ts";
import { findArchiveProblem } from "#lib/domain/system-health.ts";
import { listBases } from "#lib/embedded/archive/folder.ts";
import { type Line, listLines } from "#lib/embedded/archive/line.ts";
import { judgeDeployment } from "#lib/server/deployment.ts";
import { migrationsDir } from "#lib/server/prepare-database.ts";
import { type Check, type Finding, failed, findingOf, ok, type Site, warning } from "./check.ts";

const MIN_VERSION = 15;
const VERSION_UNIT = 10_000;
/** Of an instance besides its pool: worker and lease. */
const EXTRA_CONNECTIONS = 5;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MIB = 2 ** 20;
/** The segment that is being copied, and the next. */
const MAX_ARCHIVE_LAG = 48 * MIB;

export const databaseChecks: readonly Check<Site>[] = [
  { name: "postgres", run: checkVersion },
  { name: "schema", run: checkSchema },
  { name: "durability", run: checkDurability },
  { name: "autovacuum", run: checkAutovacuum },
  { name: "encoding", run: checkEncoding },
  { name: "extensions", run: checkExtensions },
  { name: "connections", run: checkConnections },
  { name: "pooler", run: checkPooler },
  { name: "replica", run: checkReplica },
  { name: "database encryption", run: checkEncryption },
  { name: "clock", run: checkClock },
  { name: "deployment", run: checkDeployment },
  { name: "worker", run: checkWorker },
  { name: "partitions", run: checkPartitions },
  { name: "backup", run: checkBackup },
  { name: "archive", run: checkArchive },
];

function checkVersion({ facts: { version } }: Site): Finding {
  const major = Math.floor(version / VERSION_UNIT);
  if (major >= MIN_VERSION) return ok(`PostgreSQL ${major}`);
  return failed(`PostgreSQL ${major} is too old`, `Use PostgreSQL ${MIN_VERSION} or later.`);
}

async function checkSchema({ databaseUrl }: Site): Promise<Finding> {
  const pending = await listPendingMigrations({ databaseUrl, migrationsDir });
  if (pending.length === 0) return ok("as this version expects");
  return warning(`lacks ${pending.join(", ")}`, "Start this version, which applies them.");
}

function checkDurability({ facts: { settings } }: Site): Finding {
  const off = ["fsync", "full_page_writes", "synchronous_commit"].filter((name) => settings[name] === "off");
  if (off.length === 0) return ok("a commit survives a crash");
  return failed(
    `${off.join(", ")}: off. A crash loses charges that were answered, or damages the database`,
    `Set ${off.join(", ")} to on at the server, the database and the role.`,
  );
}

function checkAutovacuum({ facts: { settings } }: Site): Finding {
  if (settings.autovacuum === "on") return ok("on");
  return warning("off: tables grow and queries become slow", "Set autovacuum to on.");
}

function checkEncoding({ facts: { encoding } }: Site): Finding {
  if (encoding === "UTF8") return ok(encoding);
  return failed(
    `${encoding} cannot store every name`,
    "Create the database with encoding UTF8, and restore a backup into it.",
  );
}

function checkExtensions({ facts: { extensions, used } }: Site): Finding {
  const missing = ["btree_gist", "pg_trgm"].filter((name) => !extensions.includes(name));
  if (missing.length === 0) return ok("btree_gist, pg_trgm");
  const detail = `missing: ${missing.join(", ")}`;
  return used
    ? failed(detail, "Create them as the database's owner.")
    : warning(detail, "The first start creates them.");
}

function checkConnections({ env, facts: { settings, used } }: Site): Finding {
  const instances = Math.max(used?.instances ?? 0, 1);
  // The pooler has those of the pools.
  const pool = env.DATABASE_POOLER_URL ? 0 : env.DATABASE_POOL_SIZE;
  const needed = (pool + EXTRA_CONNECTIONS) * instances;
  // PostgreSQL keeps the rest for others. `reserved_connections` is of PostgreSQL 16 and later.
  const usable =
    Number(settings.max_connections) -
    Number(settings.superuser_reserved_connections) -
    Number(settings.reserved_connections ?? 0);
  const detail = `${needed} of ${usable} for ${instances === 1 ? "one instance" : `${instances} instances`}`;
  if (needed < usable) return ok(detail);
  return failed(detail, "Lower DATABASE_POOL_SIZE or raise max_connections.");
}

async function checkPooler({ env, databaseUrl }: Site): Promise<Finding> {
  await requireDirectDatabase(databaseUrl);
  if (!env.DATABASE_POOLER_URL) return ok("none");
  await requirePooler(env.DATABASE_POOLER_URL, databaseUrl);
  return ok("leads to this database, with our timeouts");
}

async function checkReplica({ env, databaseUrl, facts: { used } }: Site): Promise<Finding> {
  if (!env.DATABASE_REPLICA_URL) return ok("none");
  if (!used) return ok("not used before the first start");
  const state = await readReplicaState(env.DATABASE_REPLICA_URL, databaseUrl);
  if (state === "replica") return ok("follows this database");
  if (state === "unknown") return ok("whether it follows this database is not known before the next start");
  if (state === "left behind") {
    return warning(
      "does not follow this database since a failover, and is not read",
      "Let it follow, or create it again.",
    );
  }
  return warning(
    state === "primary"
      ? "is no replica: the primary answers all reads"
      : "belongs to another database, and is not read",
    "Correct DATABASE_REPLICA_URL.",
  );
}

function checkEncryption({ databaseUrl, facts: { encrypted } }: Site): Finding {
  const { hostname } = new URL(databaseUrl);
  if (encrypted || hostname === "" || isLoopback(hostname)) return ok(encrypted ? "TLS" : "on this machine");
  return warning(`the connection to ${hostname} is not encrypted`, "Add ?sslmode=verify-full to DATABASE_URL.");
}

async function checkClock({ databaseUrl }: Site): Promise<Finding> {
  const skewMs = Math.round(await measureClockSkewMs(databaseUrl));
  return findingOf(judgeClock(skewMs), clockText(skewMs), "Synchronize both machines by NTP.");
}

async function checkDeployment({ env, databaseUrl }: Site): Promise<Finding> {
  const { DATA_DIR: dataDir } = env;
  const secrets = findStoredSecrets(env, dataDir);
  const verdict = await judgeDeployment({ databaseUrl, dataDir, configuredId: env.DEPLOYMENT_ID, secrets });
  if (verdict === null) return ok("not started yet");
  if (verdict.kind === "foreign_secrets") {
    return failed(
      `${verdict.names.join(", ")}: not what this database was used with`,
      'Restore secrets.json or the variables. If they are lost: "deployment accept-secrets".',
    );
  }
  if (verdict.kind === "copy") {
    return warning(
      `safe mode: ${verdict.reason}`,
      'If no other License Desk works for these resellers: "deployment resume".',
    );
  }
  if (env.SAFE_MODE === "on") return warning("safe mode: SAFE_MODE is on", "Remove SAFE_MODE to put it into service.");
  return ok(secrets === null ? "this machine's; the secrets are elsewhere" : "this machine's, with its secrets");
}

function checkWorker({ facts: { used } }: Site): Finding {
  if (!used || used.instances === 0) return warning("License Desk does not run", "Start it.");
  if (used.workers === 0)
    return failed("no instance runs a worker: nothing is renewed or sent", "Remove WORKER=off on one.");
  if (used.lateJobs.length > 0)
    return failed(`late: ${jobTitlesText(used.lateJobs)}`, "See the worker's log, and restart it.");
  return ok(`${used.workers} of ${used.instances} instances`);
}

function checkPartitions({ facts: { used } }: Site): Finding {
  const problem = used ? findPartitionProblem(used.partitions, new Date()) : null;
  if (problem === null) return ok("rows of the coming weeks have one");
  const job = `${jobTitlesText(["maintain_partitions"])} (maintain_partitions in the log)`;
  return warning(problem, `See why ${job} fails; a long transaction may keep it from its locks.`);
}

function checkBackup({ env, facts: { used } }: Site): Finding {
  const last = used?.lastBackup ?? null;
  const remedy =
    env.BACKUP_DIR === undefined ? "Set BACKUP_DIR, or back up the database by other means." : "See the log.";
  if (last === null) return warning("none was made", remedy);
  const ageMs = Date.now() - last.at.getTime();
  const detail = `the last one is ${Math.round(ageMs / HOUR_MS)} hours old${last.verified ? "" : " and not verified"}`;
  if (!isBackupOverdue(last.at, new Date()))
    return last.verified ? ok(detail) : warning(detail, "Restore it somewhere to check it.");
  return env.BACKUP_DIR === undefined ? warning(detail, remedy) : failed(detail, remedy);
}

async function checkArchive({ env, facts: { archiveLag, used } }: Site): Promise<Finding> {
  if (env.ARCHIVE_DIR === undefined) return ok("point-in-time recovery is not set up");
  if (env.DATABASE_URL !== undefined) {
    return warning(
      "ARCHIVE_DIR is only for the embedded database",
      "Archive this one by its own means, such as pgBackRest.",
    );
  }
  const lines = await listLines(env.ARCHIVE_DIR);
  const written = lines.filter(isWritten);
  if (written.length > 1) {
    return failed(
      `several databases write into it: ${written.map(({ name }) => name).join(", ")}`,
      "Stop the copy, or give it an ARCHIVE_DIR of its own.",
    );
  }
  const newest = lines.at(-1);
  const bases = newest ? await listBases(newest.folder) : [];
  const remedy = "Start License Desk, and see its log.";
  const problem = used?.archive && used.instances > 0 ? findArchiveProblem(used.archive) : null;
  if (problem !== null) return failed(problem, "Look at the folder of ARCHIVE_DIR, and see the log.");
  if (archiveLag === null || bases.length === 0) return failed("it has no complete copy of the database", remedy);
  if (bases.every(({ finishedAt }) => isBackupOverdue(finishedAt, new Date()))) {
    return failed("its newest copy is overdue", remedy);
  }
  const detail = `${Math.round(archiveLag / MIB)} MiB of the log are not released`;
  return archiveLag > MAX_ARCHIVE_LAG ? failed(detail, remedy) : ok(detail);
}

const isWritten = ({ open, writtenAt }: Line) => open && Date.now() - writtenAt.getTime() < MINUTE_MS;
