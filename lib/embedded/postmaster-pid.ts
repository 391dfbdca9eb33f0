/** The `postmaster.pid` of a cluster: PostgreSQL looks into it once a minute, and ends if it has another process id. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { chown, link, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** PostgreSQL has looked by then. */
const FENCED_AFTER_MS = 125_000;

export const pidFilePath = (clusterDir: string) => join(clusterDir, "postmaster.pid");

export function readPid(clusterDir: string): number | null {
  const file = pidFilePath(clusterDir);
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) || null : null;
}

/**
 * Returns a function that restores the file if it is missing: a PostgreSQL elsewhere deletes it when it ends, without
 * checking its process id. It is linked whole and keeps its owner, because PostgreSQL ends if it reads another process
 * id, and ignores a file that it cannot open.
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

/** Whether a process ended before `outlastServerElsewhere` did, wherever that was. */
export function hasUnfinishedFence(clusterDir: string): boolean {
  return existsSync(pidFilePath(clusterDir)) && readPid(clusterDir) === null;
}

/** Ends a server that may still run where this process cannot see it. It ends without writing anything more. */
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
  // Stays until the end of the wait, in case this process ends before.
  writeFileSync(file, "0\n");
  await sleep(FENCED_AFTER_MS, null, { signal });
  rmSync(file, { force: true });
}
