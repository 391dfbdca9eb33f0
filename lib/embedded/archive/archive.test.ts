import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openDataDir } from "#lib/embedded/data-dir.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { startTemporaryPostgres } from "#lib/embedded/temporary-postgres.ts";
import { dropArchiveSlot, startArchive } from "./archive.ts";
import { type Base, baseFolder, listBases, listSegments, nameBase, pruneArchive, walFolder } from "./folder.ts";

vi.setConfig({ testTimeout: 60_000 });

const root = mkdtempSync(join(tmpdir(), "license-desk-wal-"));
const folder = join(root, "archive");
let postgres: EmbeddedPostgres;
const lines: string[] = [];

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({
    dataDir: openDataDir(join(root, "data")),
    log: () => undefined,
    durable: false,
  });
  await query("create table filler (text text)");
});
afterAll(async () => {
  await postgres.stop();
  rmSync(root, { recursive: true });
});

const start = () => startArchive({ ...postgres, folder, log: (line) => void lines.push(line) });

async function query(text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: postgres.adminUrl });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 50 });
const names = () => listSegments(folder).map(({ name, partial }) => `${name}${partial ? " partial" : ""}`);

/** Fills and completes a segment. */
const fillSegment = () =>
  query("insert into filler select repeat('x', 1000) from generate_series(1, 100); select pg_switch_wal()");

test.each([0, 20, 60, 150, 400])("stopped %d ms after its start, it ends and leaves no part of a copy", async (ms) => {
  const archive = await start();
  await sleep(ms);
  await archive.stop();
  expect(readdirSync(baseFolder(folder)).filter((name) => name.endsWith(".partial"))).toEqual([]);
  expect(lines).toEqual([]);
});

test("it begins with a copy of the database, completes segments, and goes on where it stopped", async () => {
  const archive = await start();
  await eventually(() => expect(listBases(folder)).toHaveLength(1));
  expect(listSegments(folder).map(({ name }) => name)).toContain(listBases(folder)[0]?.segment);
  await fillSegment();
  await eventually(() => expect(names().length).toBeGreaterThan(1));
  await archive.stop();
  const before = names();
  await fillSegment();
  await fillSegment();
  expect(names()).toEqual(before);
  const again = await start();
  await eventually(() => expect(names().length).toBeGreaterThan(before.length + 1));
  await again.stop();
  const starts = listSegments(folder).map((segment) => segment.start);
  expect(starts).toEqual(starts.map((_, index) => Number(starts[0]) + index * 2 ** 24).map(BigInt));
  expect(listSegments(folder).findIndex(({ partial }) => partial)).toBeOneOf([-1, starts.length - 1]);
  expect(listBases(folder)).toHaveLength(1);
  expect(lines).toEqual([]);
});

test("while the folder is away the server goes on and keeps its log; then the archive is completed", async () => {
  const archive = await start();
  const before = names().length;
  renameSync(walFolder(folder), `${walFolder(folder)}.away`);
  await fillSegment();
  await eventually(() => expect(lines).toEqual([expect.stringMatching(/stands still: ENOENT/)]));
  renameSync(`${walFolder(folder)}.away`, walFolder(folder));
  await eventually(() => expect(lines.at(-1)).toBe("The archive is complete again."));
  expect(names().length).toBeGreaterThan(before);
  await archive.stop();
  lines.length = 0;
});

test("a copy of the database that is under way when the folder goes away does not keep the archive still", async () => {
  for (const { file } of listBases(folder)) rmSync(file);
  const archive = await start();
  renameSync(walFolder(folder), `${walFolder(folder)}.away`);
  await fillSegment();
  await eventually(() => expect(lines).toEqual([expect.stringMatching(/stands still: ENOENT/)]));
  renameSync(`${walFolder(folder)}.away`, walFolder(folder));
  await eventually(() => expect(lines.at(-1)).toBe("The archive is complete again."));
  await eventually(() => expect(listBases(folder)).toHaveLength(1));
  await archive.stop();
  lines.length = 0;
});

test("a failed copy of the database is logged and retried, although the log is still copied", async () => {
  for (const { file } of listBases(folder)) rmSync(file);
  const obstacle = join(baseFolder(folder), "new.partial");
  mkdirSync(obstacle);
  const archive = await start();
  await eventually(() => expect(lines).toEqual([expect.stringMatching(/stands still: .*EISDIR/)]));
  rmSync(obstacle, { recursive: true });
  await eventually(() => expect(lines.at(-1)).toBe("The archive is complete again."));
  expect(listBases(folder)).toHaveLength(1);
  await archive.stop();
  expect(lines).toHaveLength(2);
  lines.length = 0;
});

test("a copy that a clock ahead has dated does not replace today's", async () => {
  const [base] = listBases(folder);
  const ahead = nameBase(new Date(Date.now() + 30 * 24 * 3_600_000), String(base?.segment));
  renameSync(String(base?.file), join(baseFolder(folder), ahead));
  const archive = await start();
  await eventually(() => expect(listBases(folder)).toHaveLength(2));
  await archive.stop();
  expect(lines).toEqual([]);
  rmSync(join(baseFolder(folder), ahead));
});

test("after a gap it begins again, instead of an archive that cannot be replayed", async () => {
  await dropArchiveSlot(postgres.adminUrl);
  const [old] = listBases(folder);
  for (let segment = 0; segment < 4; segment += 1) await fillSegment();
  await query("checkpoint");
  const archive = await start();
  await eventually(() => expect(lines).toEqual([expect.stringMatching(/has a gap .*begins again/)]));
  await eventually(() => expect(listBases(folder)).toHaveLength(1));
  expect(String(listBases(folder)[0]?.segment) > String(old?.segment)).toBe(true);
  await archive.stop();
});

test("the archive of another database is refused", async () => {
  const other = await startTemporaryPostgres();
  try {
    const { adminUrl } = other;
    await expect(startArchive({ ...postgres, adminUrl, folder, log: () => undefined })).rejects.toThrow(
      `ARCHIVE_DIR ${folder} has the archive of another database: use an empty folder.`,
    );
  } finally {
    await other.stop();
  }
});

test("old copies and the segments before them are deleted, but for the last two copies", () => {
  const [newest] = listBases(folder) as [Base];
  const older = (days: number, segment: string) => {
    const at = new Date(Date.now() - days * 86_400_000);
    return join(baseFolder(folder), nameBase(at, segment));
  };
  const before = listSegments(folder);
  const [first, second] = before.map(({ name }) => name);
  renameSync(newest.file, older(9, String(first)));
  pruneArchive(folder, new Date());
  expect(listBases(folder)).toHaveLength(1);
  expect(listSegments(folder)).toEqual(before);
  renameSync(String(listBases(folder)[0]?.file), older(9, String(second)));
  pruneArchive(folder, new Date());
  expect(names()).not.toContain(first);
  expect(listSegments(folder)[0]?.name).toBe(second);
});
