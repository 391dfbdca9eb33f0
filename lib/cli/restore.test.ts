import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createBackup } from "#lib/backup/create.ts";
import { loadSecrets, openDataDir } from "#lib/embedded/data-dir.ts";
import { lockDataDir } from "#lib/embedded/data-dir-lock.ts";
import { checkDeployment } from "#lib/server/deployment.ts";
import { migrationsDir } from "#lib/server/prepare-database.ts";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { type Environment, runHere } from "#tests/support/command-line.ts";
import { createBareDatabase, readContents, runSql } from "#tests/support/database-contents.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { readCatalog } from "../../scripts/database/catalog.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const PASSPHRASE = "correct horse battery staple";

let world: World;
let folder: string;
/** The original's DATA_DIR. */
let dataDir: string;
/** Of the same database. */
let plain: string;
let sealed: string;

beforeAll(async () => {
  world = await newWorld();
  folder = mkdtempSync(join(tmpdir(), "license-desk-restore-"));
  dataDir = openDataDir(join(folder, "original"));
  await checkDeployment({ databaseUrl: world.url, dataDir, configuredId: undefined, secrets: loadSecrets(dataDir) });
  const reseller = await world.reseller();
  await reseller.register();
  await reseller.register({ type: "web_server" });
  const secret = readFileSync(join(dataDir, "secrets.json"), "utf8");
  const common = { databaseUrl: world.url, checkIn: null, migrationsDir };
  plain = join(folder, "plain.tar.gz");
  sealed = join(folder, "sealed.tar.gz.age");
  await createBackup({ ...common, file: plain, passphrase: null, secrets: null });
  await createBackup({ ...common, file: sealed, passphrase: PASSPHRASE, secrets: secret });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

function admin(args: readonly string[], change: Environment = {}) {
  // A command that reads the secrets leaves them in the environment of this process.
  vi.stubEnv("ENCRYPTION_KEY", undefined);
  return runHere(args, { DATA_DIR: join(folder, "other"), DEMO: "off", ...change });
}

async function withBareDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const database = await createBareDatabase(world.url);
  try {
    await use(database.url);
  } finally {
    await database.drop();
  }
}

async function catalogOf(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return readCatalog(client).finally(() => client.end());
}

test("a restored database has every row, sequence and rule of the original", async () => {
  await withBareDatabase(async (url) => {
    const { code, stdout } = await admin(["restore", "--from", plain, "--into", url]);
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      file: plain,
      created_at: expect.any(String),
      secrets: "missing",
    });
    const contents = await readContents(world.url);
    expect(Object.keys(contents).length).toBeGreaterThan(50);
    expect(await readContents(url)).toEqual(contents);
    expect(await catalogOf(url)).toEqual(await catalogOf(world.url));
    await expect(runSql(url, "update ledger_entries set amount = amount + 1")).rejects.toThrow(/append-only/i);
    await expect(runSql(url, "update events set reseller_id = 999")).rejects.toThrow(/foreign key/);
  });
});

test("in a new DATA_DIR it restores database and secrets, and starts in safe mode until it is resumed", async () => {
  const restored = { DATA_DIR: join(folder, "restored"), BACKUP_PASSPHRASE: PASSPHRASE };
  const run = (...args: string[]) => admin(args, restored);
  const { code, stdout, stderr } = await run("restore", "--from", sealed);
  expect({ code, secrets: JSON.parse(stdout).secrets }).toEqual({ code: 0, secrets: "restored" });
  expect(stderr).toMatch(/safe mode.*"wallet verify" and "deployment resume"/);
  expect(loadSecrets(restored.DATA_DIR)).toEqual(loadSecrets(dataDir));
  const topUp = ["wallet", "top-up", "--reseller", "1", "--amount", "5", "--note", "n"];
  expect(await run(...topUp)).toMatchObject({ code: 1, stderr: expect.stringMatching(/SAFE MODE.*\n.*read-only/) });
  expect(await run("wallet", "verify")).toMatchObject({ code: 0 });
  expect(await run("deployment", "resume")).toMatchObject({ code: 0 });
  expect(await run(...topUp)).toMatchObject({ code: 0 });
  const again = await run("restore", "--from", plain);
  expect(again).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^The database is not empty: .*\n$/),
  });
  expect(JSON.parse((await run("reseller", "list")).stdout)).toHaveLength(1);
});

test("with other secrets the restored installation does not start, and names them", async () => {
  const other = { DATA_DIR: join(folder, "foreign") };
  const before = loadSecrets(openDataDir(other.DATA_DIR));
  const { stdout } = await admin(["restore", "--from", sealed], { ...other, BACKUP_PASSPHRASE: PASSPHRASE });
  expect(JSON.parse(stdout)).toMatchObject({ secrets: "kept" });
  expect(loadSecrets(other.DATA_DIR)).toEqual(before);
  expect(await admin(["reseller", "list"], other)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^API_KEY_PEPPER, NEXTAUTH_SECRET, ENCRYPTION_KEY: not what this database was used with/,
    ),
  });
});

describe("refused in one line, before anything is written:", () => {
  let empty: TestDatabase;
  let before: Record<string, string>;
  beforeAll(async () => {
    empty = await createTestDatabase();
    before = await readContents(empty.url);
  });
  afterAll(() => empty.drop());

  async function refusal(file: string, into = empty.url, change: Environment = {}): Promise<string> {
    const { code, stdout, stderr } = await admin(["restore", "--from", file, "--into", into], change);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(await readContents(empty.url)).toEqual(before);
    return stderr;
  }

  /** A changed copy of a backup. */
  function change(original: string, make: (bytes: Buffer) => Buffer): string {
    const file = join(folder, "changed");
    writeFileSync(file, make(Buffer.from(readFileSync(original))));
    return file;
  }
  /** The next byte whose first bit is read: runs of zeros compress to bits that may change without a difference. */
  const findRead = (bytes: Buffer, from: number): number => {
    const altered = Buffer.from(bytes);
    flip(altered, from);
    try {
      return gunzipSync(altered).equals(gunzipSync(bytes)) ? findRead(bytes, from + 1) : from;
    } catch {
      return from;
    }
  };
  const flip = (bytes: Buffer, at: number) => {
    bytes[at] = Number(bytes[at]) ^ 1;
    return bytes;
  };

  test("a truncated backup, whatever is left", async () => {
    const cut = (share: number) => (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * share));
    for (const share of [0.2, 0.5, 0.999]) {
      expect(await refusal(change(plain, cut(share)))).toMatch(/is damaged or incomplete/);
    }
    const passphrase = { BACKUP_PASSPHRASE: PASSPHRASE };
    expect(await refusal(change(sealed, cut(0.999)), empty.url, passphrase)).toMatch(/is damaged or incomplete/);
  });

  test("a backup with one altered bit, be it at its beginning, in its middle or in its last checksum", async () => {
    const { length } = readFileSync(plain);
    for (const place of [Math.floor(length * 0.1), Math.floor(length * 0.5), length - 8]) {
      const file = change(plain, (bytes) => flip(bytes, findRead(bytes, place)));
      expect(await refusal(file)).toMatch(/is damaged or incomplete/);
    }
    const file = change(sealed, (bytes) => flip(bytes, bytes.length - 1_000));
    expect(await refusal(file, empty.url, { BACKUP_PASSPHRASE: PASSPHRASE })).toMatch(/is damaged or incomplete/);
  });

  test("a backup whose contents were replaced with their checksums left as they were", async () => {
    const unpacked = join(folder, "unpacked");
    mkdirSync(unpacked);
    execFileSync("tar", ["xzf", plain, "-C", unpacked]);
    appendFileSync(join(unpacked, "tables/wallets/000001"), "2\t2\tUSD\t2\t100\t0\tf\t\\N\t\\N\n");
    const names = execFileSync("tar", ["tzf", plain], { encoding: "utf8" }).trim().split("\n");
    const file = join(folder, "replaced.tar.gz");
    execFileSync("tar", ["czf", file, "-C", unpacked, ...names]);
    expect(await refusal(file)).toMatch(/its checksums do not match/);
  });

  test("a wrong passphrase, or none", async () => {
    expect(await refusal(sealed, empty.url, { BACKUP_PASSPHRASE: `${PASSPHRASE}!` })).toMatch(
      /^The passphrase does not open/,
    );
    expect(await refusal(sealed)).toMatch(/is encrypted: give --passphrase-file/);
  });

  test("a file that is no backup, or missing", async () => {
    expect(await refusal(change(plain, () => Buffer.from("hello")))).toMatch(/is not a backup of License Desk/);
    const tar = join(folder, "other.tar.gz");
    execFileSync("tar", ["czf", tar, "-C", dataDir, "secrets.json"]);
    expect(await refusal(tar)).toMatch(/is damaged or incomplete|is not a backup/);
    expect(await refusal(join(folder, "missing"))).toMatch(/ENOENT/);
  });

  test("a database in use, or with tables of something else", async () => {
    expect(await refusal(plain, world.url)).toMatch(
      /^The database is not empty: it has rows in \w+\. .* Nothing was changed/,
    );
    await withBareDatabase(async (url) => {
      await runSql(url, "create schema shop; create table shop.orders (id int)");
      expect(await refusal(plain, url)).toMatch(/it has rows in shop\.orders/);
    });
  });

  test("a DATA_DIR on which License Desk runs", async () => {
    const lock = await lockDataDir(dataDir);
    try {
      const { code, stderr } = await admin(["restore", "--from", plain], { DATA_DIR: dataDir });
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^License Desk is already running .*\n$/),
      });
      expect(existsSync(join(dataDir, "postgres"))).toBe(false);
    } finally {
      lock.release();
    }
  });
});
