import { beginArchiveState, storeArchiveProgress } from "#lib/db/archive/state.ts";
import { openDatabase } from "#lib/db/connection/client.ts";
import { findDeployment } from "#lib/db/deployment/deployment.ts";
import { startArchive } from "#lib/embedded/archive/archive.ts";
import type { EmbeddedPostgres } from "#lib/embedded/postgres.ts";

const STORE_EVERY_MS = 5_000;

/**
 * Archives the embedded database until stopped, and stores its progress there, for all processes.
 * @returns stops it
 * @throws if the folder cannot be used
 */
export async function archiveDatabase(
  postgres: EmbeddedPostgres,
  folder: string,
  log: (line: string) => void,
): Promise<() => Promise<void>> {
  const found = await findDeployment(postgres.url);
  if (!found) throw new Error("The database does not say which deployment it belongs to.");
  const deployment = `${found.record.deploymentId} ${found.resumedAt.toISOString()}`;
  const archive = await startArchive({ ...postgres, folder, deployment, log });
  const db = openDatabase({ url: postgres.url, poolSize: 1, applicationName: "license-desk archive" });
  // Progress that cannot be stored grows stale, which the checks report.
  let storing: Promise<unknown> = beginArchiveState(db).catch(() => undefined);
  const timer = setInterval(() => {
    const { complete, problem } = archive.readProgress();
    storing = storing.then(() => storeArchiveProgress(db, complete, problem)).catch(() => undefined);
  }, STORE_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await archive.stop();
    await storing;
    await db.close();
  };
}
