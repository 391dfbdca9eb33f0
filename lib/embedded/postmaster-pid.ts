/** The `postmaster.pid` of a cluster. PostgreSQL reads it once a minute, and ends if it names another process. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { chown, link, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Two of PostgreSQL's checks, and a margin. */
const FENCED_AFTER_MS = 125_000;

export const pidFilePath = (clusterDir: string) => join(clusterDir, "postmaster.pid");

export function readPid(clusterDir: string): number | null {
  const file = pidFilePath(clusterDir);
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) || null : null;
}

/**
 * Returns a function that restores the file if it is missing: a PostgreSQL on another machine deletes it when it ends,
 * without checking whose it is. The restored file appears complete and with its owner, because PostgreSQL ends if it
 * reads another process id, and ignores a file that it cannot open.
 */
export function keepPidFile(clusterDir: string): () => Promise<void> {
  const file = pidFilePath(clusterDir);
  const content = readFileSync(file);
  const { uid, gid, mode } = statSync(file);
  return async () => {
    if (existsSync(file)) return;
    const draft = `${file}.${randomUUID()}`;
    try {
      await writeFile(draft, content, { mode });
      await chown(draft, uid, gid);
      await link(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      await rm(draft, { force: true });
    }
  };
}

/** Whether `outlastServerElsewhere` was interrupted, on this machine or another. */
export function hasUnfinishedFence(clusterDir: string): boolean {
  return existsSync(pidFilePath(clusterDir)) && readPid(clusterDir) === null;
}

/** Makes a server that may still run out of this process's sight end without another write, and waits for that. */
export async function outlastServerElsewhere(
  clusterDir: string,
  { log, signal }: { log: (line: string) => void; signal?: AbortSignal },
): Promise<void> {
  const file = pidFilePath(clusterDir);
  if (!existsSync(file)) return;
  log(
    "The database was not stopped on another machine or in another container: waiting 2 minutes, so that a server " +
      "which still runs there ends.",
  );
  // No process has the id 0. The file stays until the end of the wait, in case this process ends before.
  writeFileSync(file, "0\n");
  await sleep(FENCED_AFTER_MS, null, { signal });
  rmSync(file, { force: true });
}
