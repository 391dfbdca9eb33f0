/** `restore.json` in DATA_DIR while a restore creates the database, so that an incomplete one is never used. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { hasCluster, removeCluster } from "./postgres.ts";
import { readJsonFile, writePrivateJson } from "./private-file.ts";

const fileSchema = z.object({ from: z.string() });

const markerFile = (dataDir: string) => join(dataDir, "restore.json");

/** Message about an interrupted restore; null if there is none. */
export function describeUnfinishedRestore(dataDir: string): string | null {
  const found = fileSchema.nullable().safeParse(readJsonFile(markerFile(dataDir)));
  if (found.success && found.data === null) return null;
  const from = found.success && found.data ? ` of ${found.data.from}` : "";
  return (
    `The restore${from} into ${dataDir} was interrupted, so its database is incomplete. Run the restore again, or delete ` +
    "postgres, postgres.json and restore.json there to start with an empty database."
  );
}

/** @throws if a restore was interrupted */
export function requireFinishedRestore(dataDir: string): void {
  const problem = describeUnfinishedRestore(dataDir);
  if (problem !== null) throw new Error(problem);
}

/**
 * Runs a restore that creates the database, and removes what one before it, or its failure, has left.
 * @throws if there is a database, but not of an interrupted restore
 */
export async function restoring<Result>(
  dataDir: string,
  from: string,
  restore: () => Promise<Result>,
): Promise<Result> {
  if (describeUnfinishedRestore(dataDir) !== null) await removeCluster(dataDir);
  else if (hasCluster(dataDir)) {
    throw new Error(`${dataDir} has a database already: set DATA_DIR to a new folder. Nothing was changed.`);
  }
  writePrivateJson(markerFile(dataDir), { from });
  const result = await restore().catch(async (error) => {
    await removeCluster(dataDir);
    rmSync(markerFile(dataDir));
    throw error;
  });
  rmSync(markerFile(dataDir));
  return result;
}
