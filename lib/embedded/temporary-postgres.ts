import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataDir } from "./data-dir.ts";
import { startEmbeddedPostgres } from "./postgres.ts";

export type TemporaryPostgres = { url: string; stop(): Promise<void> };

/** A temporary database server for tests and tools; `stop` removes its folder. */
export async function startTemporaryPostgres(): Promise<TemporaryPostgres> {
  const dataDir = openDataDir(mkdtempSync(join(tmpdir(), "license-desk-")));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const options = { durable: false, createsDatabases: true };
    const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined, ...options });
    return {
      url: postgres.url,
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
