import { join } from "node:path";
import { openDatabase } from "#lib/db/connection/client.ts";
import { updatePartitions } from "#lib/db/partition/partitions.ts";
import { applyMigrations } from "#lib/db/schema/migrate.ts";
import type { EmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { FIRST_STEPS, writeDemoCredentials } from "./demo.ts";
import { checkDeployment, type DeploymentOptions, requireOwnSecrets } from "./deployment.ts";

export const migrationsDir = join(import.meta.dirname, "..", "..", "prisma", "migrations");

/**
 * Migrates the database, compares it with this machine's deployment, and creates and drops partitions. With other
 * secrets than the database's it fails before it changes anything.
 * @param options.safeMode SAFE_MODE is on
 * @returns `safeMode`: SAFE_MODE is on, or the database is a copy of another deployment's. Only migrations change it.
 */
export async function prepareDatabase(
  options: DeploymentOptions & { readonly safeMode: boolean; readonly log: (line: string) => void },
): Promise<{ readonly safeMode: boolean }> {
  const { databaseUrl, log } = options;
  await requireOwnSecrets(options);
  const applied = await applyMigrations({ databaseUrl, migrationsDir, log });
  if (applied.length > 0) log(`Database migrated: ${applied.join(", ")}.`);
  const verdict = await checkDeployment(options);
  if (verdict.kind === "copy") {
    log(
      `SAFE MODE: ${verdict.reason}. Nothing is changed, renewed or sent. If this is a further instance of a License ` +
        'Desk in service, set the DEPLOYMENT_ID that "npm run -s admin -- deployment show" prints. Otherwise stop the ' +
        'original for good, and run "npm run -s admin -- deployment resume". Then start again.',
    );
    return { safeMode: true };
  }
  if (options.safeMode) return { safeMode: true };
  await preparePartitions(databaseUrl, log);
  return { safeMode: false };
}

/** Seeds an embedded database at its first start. Uses the runtime, so the environment must be complete. */
export async function completeFirstStart(
  embedded: EmbeddedPostgres,
  options: {
    readonly dataDir: string;
    /** The dashboard's address. */
    readonly url: string;
    /** Whether to seed the demonstration (`allowsDemo`). */
    readonly demo: boolean;
    readonly log: (line: string) => void;
  },
): Promise<void> {
  const { dataDir, url, demo, log } = options;
  if (!embedded.firstStart) return;
  if (demo) {
    const { seedDemo } = await import("#lib/seed/demo.ts");
    log(writeDemoCredentials(dataDir, await seedDemo({ url })));
  } else log(FIRST_STEPS);
  embedded.completeFirstStart();
}

/** Without them rows go to the default partition, so a failure does not prevent the start. */
async function preparePartitions(databaseUrl: string, log: (line: string) => void): Promise<void> {
  const db = openDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    await updatePartitions(db, new Date());
  } catch (error) {
    log(`Partitions could not be prepared; the worker tries again every hour. ${error}`);
  } finally {
    await db.close();
  }
}
