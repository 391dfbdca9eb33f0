import { execFileSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openDataDir } from "#lib/embedded/data-dir.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/embedded/postgres.ts";
import { startTemporaryPostgres } from "#lib/embedded/temporary-postgres.ts";
import { dropArchiveSlot, startArchive } from "./archive.ts";
import { type Base, baseFolder, listBases, listSegments, nameBase, pruneLine, walFolder } from "./folder.ts";
import { listLines } from "./line.ts";

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

const start = () => startArchive({ ...postgres, folder, deployment: "one", log: (line) => void lines.push(line) });
/** The folder of the newest line. */
const newestLine = async () => String((await listLines(folder)).at(-1)?.folder);
const bases = async () => listBases(await newestLine());
const segments = async () => listSegments(await newestLine());

async function query(text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: postgres.adminUrl });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}

const eventually = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 20_000, interval: 50 });
const names = async () => (await segments()).map(({ name, partial }) => `${name}${partial ? " partial" : ""}`);

/** Fills and completes a segment. */
const fillSegment = () =>
  query("insert into filler select repeat('x', 1000) from generate_series(1, 100); select pg_switch_wal()");

const isOpen = async () => expect((await listLines(folder)).at(-1)?.open).toBe(true);

/** Reading the entry of the writer hangs until it is answered. */
async function hangEntry(): Promise<() => void> {
  const file = join(await newestLine(), "writer.json");
  let entry = "";
  const hang = () => {
    entry = readFileSync(file, "utf8");
    rmSync(file);
    execFileSync("mkfifo", [file]);
  };
  await vi.waitFor(hang, { timeout: 10_000, interval: 50 });
  return () => {
    const end = openSync(file, "r+");
    rmSync(file);
    writeSync(end, entry);
    closeSync(end);
  };
}

test.each([0, 20, 60, 150, 400])("stopped %d ms after its start, it ends and leaves no part of a copy", async (ms) => {
  const archive = await start();
  await sleep(ms);
  await archive.stop();
  expect(readdirSync(baseFolder(await newestLine())).filter((name) => name.endsWith(".partial"))).toEqual([]);
  expect(lines).toEqual([]);
});

test("it begins with a copy of the database, completes segments, and goes on where it stopped", async () => {
  const archive = await start();
  await eventually(async () => expect(await bases()).toHaveLength(1));
  expect((await segments()).map(({ name }) => name)).toContain((await bases())[0]?.segment);
  await fillSegment();
  await eventually(async () => expect((await names()).length).toBeGreaterThan(1));
  await archive.stop();
  const before = await names();
  await fillSegment();
  await fillSegment();
  expect(await names()).toEqual(before);
  const again = await start();
  await eventually(async () => expect((await names()).length).toBeGreaterThan(before.length + 1));
  await again.stop();
  const starts = (await segments()).map((segment) => segment.start);
  expect(starts).toEqual(starts.map((_, index) => Number(starts[0]) + index * 2 ** 24).map(BigInt));
  expect((await segments()).findIndex(({ partial }) => partial)).toBeOneOf([-1, starts.length - 1]);
  expect(await bases()).toHaveLength(1);
  expect(lines).toEqual([]);
});

test("while the folder is away the server goes on and keeps its log; then the archive is completed", async () => {
  const archive = await start();
  const before = (await names()).length;
  const wal = walFolder(await newestLine());
  renameSync(wal, `${wal}.away`);
  await fillSegment();
  await eventually(() => expect(lines).toEqual([expect.stringMatching(/stands still: ENOENT/)]));
  renameSync(`${wal}.away`, wal);
  await eventually(() => expect(lines.at(-1)).toBe("The archive is complete again."));
  expect((await names()).length).toBeGreaterThan(before);
  await archive.stop();
  lines.length = 0;
});

test("a folder that hangs blocks nothing and is logged; once it answers, the archive is completed", async () => {
  const archive = await start();
  const answer = await hangEntry();
  await eventually(() => expect(lines).toEqual([expect.stringMatching(/stands still: the folder does not answer/)]));
  answer();
  await eventually(() => expect(lines.at(-1)).toBe("The archive is complete again."));
  await archive.stop();
  lines.length = 0;
});

test("a line never claims to have what was committed after its last copy", async () => {
  const archive = await start();
  await eventually(isOpen);
  const answer = await hangEntry();
  await sleep(2_500);
  const committedAt = new Date();
  answer();
  await eventually(isOpen);
  expect((await listLines(folder)).at(-1)?.writtenAt.getTime()).toBeLessThan(committedAt.getTime());
  await archive.stop();
  expect(lines).toEqual([]);
});

test("a copy of the database that is under way when the folder goes away does not keep the archive still", async () => {
  for (const { file } of await bases()) rmSync(file);
  const wal = walFolder(await newestLine());
  const archive = await start();
  renameSync(wal, `${wal}.away`);
  await fillSegment();
  await eventually(() => expect(lines).toEqual([expect.stringMatching(/stands still: ENOENT/)]));
  renameSync(`${wal}.away`, wal);
  await eventually(() => expect(lines.at(-1)).toBe("The archive is complete again."));
  await eventually(async () => expect(await bases()).toHaveLength(1));
  await archive.stop();
  lines.length = 0;
});

test("a failed copy of the database is logged and retried, although the log is still copied", async () => {
  for (const { file } of await bases()) rmSync(file);
  const obstacle = join(baseFolder(await newestLine()), "new.partial");
  mkdirSync(obstacle);
  const archive = await start();
  await eventually(() => expect(lines).toEqual([expect.stringMatching(/stands still: .*EISDIR/)]));
  rmSync(obstacle, { recursive: true });
  await eventually(() => expect(lines.at(-1)).toBe("The archive is complete again."));
  expect(await bases()).toHaveLength(1);
  await archive.stop();
  expect(lines).toHaveLength(2);
  lines.length = 0;
});

test("a copy that a clock ahead has dated does not replace today's", async () => {
  const [base] = await bases();
  const ahead = nameBase(new Date(Date.now() + 30 * 24 * 3_600_000), String(base?.segment));
  renameSync(String(base?.file), join(baseFolder(await newestLine()), ahead));
  const archive = await start();
  await eventually(async () => expect(await bases()).toHaveLength(2));
  await archive.stop();
  expect(lines).toEqual([]);
  rmSync(join(baseFolder(await newestLine()), ahead));
});

test("after a gap a new line begins with a copy of the database, and the old one can still be restored", async () => {
  await dropArchiveSlot(postgres.adminUrl);
  const old = await newestLine();
  const [oldBase] = await bases();
  for (let segment = 0; segment < 4; segment += 1) await fillSegment();
  await query("checkpoint");
  const archive = await start();
  await eventually(() => expect(lines).toEqual([expect.stringMatching(/has a gap .*begins again/)]));
  await eventually(async () => expect(await newestLine()).not.toBe(old));
  await eventually(async () => expect(await bases()).toHaveLength(1));
  expect(String((await bases())[0]?.segment) > String(oldBase?.segment)).toBe(true);
  expect(await listBases(old)).toEqual([oldBase]);
  await archive.stop();
  lines.length = 0;
});

test("a database that is behind its line, as one of a copied disk, begins a new one instead of continuing it", async () => {
  const old = await newestLine();
  const { file, name } = (await segments()).at(-1) ?? { file: "", name: "" };
  const ahead = join(walFolder(old), `${name.slice(0, 20)}00FF`);
  copyFileSync(file, ahead);
  const archive = await start();
  await eventually(() => expect(lines).toEqual([expect.stringMatching(/it is ahead of the database.*begins again/)]));
  await eventually(async () => expect(await newestLine()).not.toBe(old));
  await eventually(async () => expect(await bases()).toHaveLength(1));
  await archive.stop();
  expect(await listSegments(old)).toContainEqual(expect.objectContaining({ file: ahead }));
  lines.length = 0;
});

test("a database that was put into service again begins a line of its own, in which nobody else writes", async () => {
  const first = await newestLine();
  const contents = () => readdirSync(first, { recursive: true }).toSorted();
  const before = contents();
  const resumed = await startArchive({ ...postgres, folder, deployment: "two", log: (line) => void lines.push(line) });
  await eventually(async () => expect(await newestLine()).not.toBe(first));
  await eventually(async () => expect(await bases()).toHaveLength(1));
  const second = await startArchive({ ...postgres, folder, deployment: "two", log: (line) => void lines.push(line) });
  await eventually(() =>
    expect(lines).toEqual([expect.stringMatching(/stands still: another License Desk writes it/)]),
  );
  await resumed.stop();
  await eventually(() => expect(lines.at(-1)).toBe("The archive is complete again."));
  await second.stop();
  expect(contents()).toEqual(before);
  lines.length = 0;
});

test("the archive of another database is refused", async () => {
  const other = await startTemporaryPostgres();
  try {
    const { adminUrl } = other;
    const started = startArchive({ ...postgres, adminUrl, folder, deployment: "one", log: () => undefined });
    await expect(started).rejects.toThrow(
      `ARCHIVE_DIR ${folder} has the archive of another database: use an empty folder.`,
    );
  } finally {
    await other.stop();
  }
});

test("old copies and the segments before them are deleted, but for the last two copies", async () => {
  const line = await newestLine();
  const [newest] = (await bases()) as [Base];
  const older = (days: number, segment: string) =>
    join(baseFolder(line), nameBase(new Date(Date.now() - days * 86_400_000), segment));
  const name = String((await segments()).at(-1)?.name);
  const [first, second] = [1, 2].map((number) => `${name.slice(0, 16)}${"0".repeat(7)}${number}`);
  for (const segment of [first, second]) writeFileSync(join(walFolder(line), String(segment)), "");
  const before = await segments();
  renameSync(newest.file, older(9, String(first)));
  await pruneLine(line, new Date());
  expect(await bases()).toHaveLength(1);
  expect(await segments()).toEqual(before);
  for (const days of [8, 7]) writeFileSync(older(days, String(second)), "");
  expect(await pruneLine(line, new Date())).toHaveLength(2);
  expect(await names()).not.toContain(first);
  expect((await segments())[0]?.name).toBe(second);
});
