import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { listBases } from "#lib/embedded/archive/folder.ts";
import { readEnv } from "#lib/env.ts";
import { boot } from "./boot.ts";

vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), "license-desk-boot-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts up to where a server listens, and stops again. */
async function run(
  change: Readonly<Record<string, string>>,
  whileRunning: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  const variables = { DATA_DIR: join(folder, "data"), PORT: "0", DEMO: "off", ...change };
  const env = readEnv(variables as NodeJS.ProcessEnv & typeof variables);
  const cleanups: (() => Promise<void> | void)[] = [];
  const stopping = new AbortController();
  try {
    const { databaseUrl } = await boot({
      env,
      log: () => undefined,
      signal: stopping.signal,
      addCleanup: (cleanup) => void cleanups.push(cleanup),
      onDatabaseLost: (error) => expect.fail(error.message),
    });
    await whileRunning(databaseUrl);
  } finally {
    stopping.abort();
    for (const cleanup of cleanups.toReversed()) await cleanup();
  }
}

async function countSlots(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query("select from pg_replication_slots").finally(() => client.end());
  return Number(rowCount);
}

test("with ARCHIVE_DIR a start archives the database; without it, the log is no longer kept", async () => {
  const archive = join(folder, "archive");
  await run({ ARCHIVE_DIR: archive }, async (url) => {
    await vi.waitFor(() => expect(listBases(archive)).toHaveLength(1), { timeout: 30_000, interval: 50 });
    expect(await countSlots(url)).toBe(1);
  });
  await run({}, async (url) => expect(await countSlots(url)).toBe(0));
});

test("an ARCHIVE_DIR that cannot be used ends the start", async () => {
  await expect(run({ ARCHIVE_DIR: "/dev/null/archive" }, async () => undefined)).rejects.toThrow(
    /ENOTDIR.*\/dev\/null/,
  );
});
