import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataDir } from "./data-dir.ts";
import { DataDirInUseError, type DataDirLock, lockDataDir } from "./data-dir-lock.ts";
import { removeCluster, startEmbeddedPostgres } from "./postgres.ts";

export type TemporaryPostgres = { url: string; adminUrl: string; stop(): Promise<void> };

/** Stops and removes a server that an ended process left in the folder. False: its process still runs. */
export async function removeTemporaryPostgres(folder: string): Promise<boolean> {
  if (!existsSync(folder)) return true;
  let lock: DataDirLock;
  try {
    lock = await lockDataDir(folder);
  } catch (error) {
    if (error instanceof DataDirInUseError) return false;
    throw error;
  }
  await removeCluster(folder);
  lock.release();
  rmSync(folder, { recursive: true, force: true });
  return true;
}

/**
 * A temporary database server for tests and tools; `stop` removes its folder.
 * @param folder where `removeTemporaryPostgres` has removed an earlier one
 */
export async function startTemporaryPostgres(folder?: string): Promise<TemporaryPostgres> {
  const dataDir = openDataDir(folder ?? mkdtempSync(join(tmpdir(), "license-desk-")));
  const lock = await lockDataDir(dataDir);
  const remove = () => {
    lock.release();
    rmSync(dataDir, { recursive: true, force: true });
  };
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
