/** The `postmaster.pid` of a cluster: PostgreSQL looks into it once a minute, and ends if it has another process id. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** PostgreSQL has looked by then. */
const FENCED_AFTER_MS = 125_000;

export const pidFilePath = (clusterDir: string) => join(clusterDir, "postmaster.pid");

export function readPid(clusterDir: string): number | null {
  const file = pidFilePath(clusterDir);
  return existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) || null : null;
}

/** Returns what writes the file again if it is missing: a server elsewhere that ends deletes it, whoever's it is. */
export function keepPidFile(clusterDir: string): () => Promise<void> {
  const file = pidFilePath(clusterDir);
  const content = readFileSync(file);
  return () =>
    writeFile(file, content, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
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
