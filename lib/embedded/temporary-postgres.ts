import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataDir } from "./data-dir.ts";
import { removeCluster, startEmbeddedPostgres } from "./postgres.ts";

export type TemporaryPostgres = { url: string; adminUrl: string; stop(): Promise<void> };

/** Stops and removes a server that an earlier process left in the folder. */
export async function removeTemporaryPostgres(folder: string): Promise<void> {
  await removeCluster(folder);
  rmSync(folder, { recursive: true, force: true });
}

/**
 * A temporary database server for tests and tools; `stop` removes its folder.
 * @param folder used by one process at a time. A server that an earlier one left there is stopped and removed.
 */
export async function startTemporaryPostgres(folder?: string): Promise<TemporaryPostgres> {
  const dataDir = openDataDir(folder ?? mkdtempSync(join(tmpdir(), "license-desk-")));
  await removeCluster(dataDir);
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const options = { durable: false, createsDatabases: true };
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, ...options });
    return {
      url: postgres.url,
      adminUrl: postgres.adminUrl,
      stop: async () => {
        await postgres.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
