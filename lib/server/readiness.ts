import { join } from "node:path";
import { outageKindOf } from "#lib/db/connection/errors.ts";
import { type ReadinessRow, readReadiness } from "#lib/db/monitoring/readiness.ts";
import { readMigrationFiles } from "#lib/db/schema/migration-files.ts";
import { fingerprintSecret, type SecretName } from "#lib/domain/deployment.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { jobTitlesText } from "#lib/domain/scheduled-jobs.ts";
import { type Env, installationRoot, readEnv } from "#lib/env.ts";
import { getRuntime } from "#lib/runtime.ts";
import { cacheAnswer } from "./cached-answer.ts";

/** A `warning` does not make the instance unready. */
export interface ReadinessCheck {
  readonly check: "database" | "schema" | "secrets" | "worker" | "shutdown";
  readonly status: "ok" | "failed" | "warning";
  /** Absent if the status is `ok`. */
  readonly reason?: string;
}

const CACHE_MS = 1_000;
/** Probes usually give up after a second. */
export const MAX_WAIT_MS = 800;

/** Why an instance without a database is not ready; what depends on the database is not known then. */
const unreachable = (reason: string): ReadinessCheck[] => [{ check: "database", status: "failed", reason }];

/** Reads the checks of this process, at most once a second however often it is asked. */
export function createReadiness(): () => Promise<readonly ReadinessCheck[]> {
  const env = readEnv();
  const migrations = readMigrationFiles(join(/* turbopackIgnore: true */ installationRoot(), "prisma", "migrations"));
  migrations.catch(() => undefined);
  const load = async () => {
    try {
      return judge(await readReadiness(getRuntime().db), await migrations, env);
    } catch (error) {
      return unreachable(isAway(error) ? "unreachable" : "does not have the schema of this version");
    }
  };
  return cacheAnswer<readonly ReadinessCheck[]>(load, {
    ttlMs: CACHE_MS,
    waitMs: MAX_WAIT_MS,
    late: unreachable("does not answer in time"),
  });
}

function isAway(error: unknown): boolean {
  return isDomainError(error) || outageKindOf(error) !== null;
}

function judge(
  row: ReadinessRow,
  known: readonly { readonly name: string; readonly checksum: string }[],
  env: Env,
): ReadinessCheck[] {
  // A migration that is not known here belongs to a newer version, which leaves this one running.
  const hasSchema = known.every(({ name, checksum }) => row.migrations[name] === checksum);
  const { safeMode } = getRuntime();
  return [
    verdict("database", safeMode || row.writable, "read-only"),
    verdict("schema", hasSchema, "not the schema of this version"),
    verdict("secrets", haveSecrets(row, env), "not the secrets of this database"),
    // Any instance's worker will do, and answering requests needs none.
    judgeWorker(row, safeMode),
  ];
}

function judgeWorker({ hasWorker, lateJobs }: ReadinessRow, safeMode: boolean): ReadinessCheck {
  if (safeMode || (hasWorker && lateJobs.length === 0)) return { check: "worker", status: "ok" };
  const reason = hasWorker ? `late: ${jobTitlesText(lateJobs)}` : "no live worker";
  return { check: "worker", status: "warning", reason };
}

function verdict(check: ReadinessCheck["check"], isOk: boolean, reason: string): ReadinessCheck {
  return isOk ? { check, status: "ok" } : { check, status: "failed", reason };
}

function haveSecrets({ fingerprints }: ReadinessRow, env: Env): boolean {
  if (fingerprints === null) return true;
  const names = Object.keys(fingerprints) as SecretName[];
  return names.every((name) => {
    const secret = env[name];
    return secret === undefined || fingerprintSecret(secret) === fingerprints[name];
  });
}
