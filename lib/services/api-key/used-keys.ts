import { listUsedKeyHashes } from "#lib/db/api-key/usable.ts";
import type { Database } from "#lib/db/connection/client.ts";

const USED_WITHIN_MS = 7 * 24 * 3_600_000;
const MAX_KEYS = 20_000;
const RELOAD_AFTER_MS = 60_000;

/**
 * Whether any process has seen a key lately, by its hash: a process that has just started knows the keys of its
 * callers. Reads the list when it is first asked for, and at most once a minute.
 */
export function createUsedKeys(db: Database): (secretHash: Buffer, now: Date) => Promise<boolean> {
  let loaded: Promise<ReadonlySet<string>> | null = null;
  let loadedAtMs = 0;

  async function load(now: Date): Promise<ReadonlySet<string>> {
    const since = new Date(now.getTime() - USED_WITHIN_MS);
    return new Set((await listUsedKeyHashes(db, since, MAX_KEYS)).map((hash) => hash.toString("base64")));
  }

  return async (secretHash, now) => {
    if (loaded === null || performance.now() - loadedAtMs > RELOAD_AFTER_MS) {
      loadedAtMs = performance.now();
      loaded = load(now).catch(() => new Set());
    }
    return (await loaded).has(secretHash.toString("base64"));
  };
}
