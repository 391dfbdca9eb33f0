import { loadSecrets, openDataDir } from "#lib/embedded/data-dir.ts";
import { startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { prepareDatabase } from "#lib/server/prepare-database.ts";

/** A DATA_DIR as the first start leaves it, without the demonstration. */
export async function createInstallation(folder: string): Promise<string> {
  const dataDir = openDataDir(folder);
  const log = () => undefined;
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    const secrets = loadSecrets(dataDir);
    const deployment = { databaseUrl: postgres.url, dataDir, configuredId: undefined, secrets };
    await prepareDatabase({ ...deployment, safeMode: false, log });
    postgres.completeFirstStart();
  } finally {
    await postgres.stop();
  }
  return dataDir;
}
