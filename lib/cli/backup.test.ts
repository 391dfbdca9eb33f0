import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openSnapshot } from "#lib/db/backup/snapshot.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { compiledCode } from "#tests/compiled-code.ts";
import { type Environment, runHere } from "#tests/support/command-line.ts";
import { runSql } from "#tests/support/database-contents.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const PASSPHRASE = "correct horse battery staple";
const SECRETS = {
  API_KEY_PEPPER: PEPPER,
  NEXTAUTH_SECRET: "a secret of sessions, long enough for one",
};

let world: World;
let reseller: ResellerWorld;
let folder: string;
let to: string;

beforeAll(async () => {
  world = await newWorld();
  reseller = await world.reseller();
  folder = mkdtempSync(join(tmpdir(), "license-desk-backup-"));
  to = join(folder, "backups");
  mkdirSync(to);
});
afterEach(() => {
  for (const name of readdirSync(to)) rmSync(join(to, name));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

const backup = (args: readonly string[], change: Environment = {}) =>
  runHere(["backup", ...args], { DATA_DIR: join(folder, "data"), DATABASE_URL: world.url, ...change });

async function made(args: readonly string[], change: Environment = {}) {
  const { code, stdout, stderr } = await backup(args, change);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

/** Fails with one line, and leaves no file. */
async function refusal(args: readonly string[], change: Environment = {}): Promise<string> {
  const { stdout, stderr, code } = await backup(args, change);
  expect(code).not.toBe(0);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(readdirSync(to)).toEqual([]);
  return stderr;
}

const unpack = (file: string, ...names: string[]) =>
  execFileSync("tar", ["xzOf", file, ...names], { encoding: "utf8", maxBuffer: 2 ** 26 });

test("a backup made while money moves is consistent, private, and opens with tar and sha256sum", async () => {
  let writing = true;
  const payments = (async () => {
    for (let number = 1; writing; number += 1) {
      await topUpWallet(world.operator, { resellerId: reseller.id, amount: "1.00", note: `payment ${number}` });
    }
  })();
  const result = await made(["--to", to]);
  writing = false;
  await payments;
  const { file } = result;
  const bytes = readFileSync(file);
  expect(result).toEqual({
    file: expect.stringMatching(/backups\/license-desk-\d{8}T\d{6}Z\.tar\.gz$/),
    bytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    database_bytes: expect.any(Number),
    seconds: expect.any(Number),
    encrypted: false,
    secrets: false,
    verified: true,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(to)).toHaveLength(1);
  const unpacked = join(folder, "unpacked");
  mkdirSync(unpacked);
  execFileSync("tar", ["xzf", file, "-C", unpacked]);
  execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: unpacked });
  // The balance that the wallet states is the sum of the entries beside it.
  const [wallet = ""] = unpack(file, "tables/wallets/000001").split("\n");
  const entries = unpack(file, "tables/ledger_entries/000001").trim().split("\n");
  const sum = entries.reduce((total, line) => total + Number(line.split("\t")[4]), 0);
  expect(wallet.split("\t")).toContain(String(sum));
});

test("each backup is recorded with its time, size and result, a failed one with its reason", async () => {
  await runSql(world.url, "truncate backups");
  const { file, bytes } = await made(["--to", join(to, "a.tar.gz")]);
  await made(["--to", join(to, "b.tar.gz"), "--no-verify"]);
  await backup(["--to", join(to, "missing", "c.tar.gz")]);
  const rows = await runSql(
    world.url,
    "select file, bytes::int, verified, error, ended_at >= started_at as ended from backups order by id",
  );
  expect(rows).toEqual([
    { file, bytes, verified: true, error: null, ended: true },
    { file: join(to, "b.tar.gz"), bytes: expect.any(Number), verified: false, error: null, ended: true },
    { file: null, bytes: null, verified: false, error: `There is no folder ${join(to, "missing")}.`, ended: true },
  ]);
});

test("the books of a damaged database are backed up, and the differences reported", async () => {
  await runSql(world.url, "update wallets set posted = posted + 5");
  const { code, stdout, stderr } = await backup(["--to", to]);
  await runSql(world.url, "update wallets set posted = posted - 5");
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      "The books of this database do not agree: 1 wallets do not agree.\nThe books of this database do not agree: 1 currencies do not agree.\n",
  });
  const { verified, file } = JSON.parse(stdout);
  expect({ verified, kept: existsSync(file) }).toEqual({ verified: false, kept: true });
});

test("an encrypted backup shows nothing, and has the secrets if asked", async () => {
  const passphraseFile = join(folder, "passphrase");
  writeFileSync(passphraseFile, `${PASSPHRASE}\n`);
  const file = join(to, "sealed.age");
  const args = ["--to", file, "--no-verify", "--with-secrets", "--passphrase-file", passphraseFile];
  vi.stubEnv("ENCRYPTION_KEY", Buffer.alloc(32, 7).toString("base64"));
  expect(await made(args, SECRETS)).toMatchObject({ file, encrypted: true, secrets: true });
  expect(readFileSync(file).toString("latin1")).toMatch(/^age-encryption\.org\/v1\n-> scrypt /);
});

test("secrets are never written in the clear, nor made up", async () => {
  expect(await refusal(["--to", to, "--with-secrets"], SECRETS)).toMatch(/needs a passphrase/);
  const sealed = { BACKUP_PASSPHRASE: PASSPHRASE };
  expect(await refusal(["--to", to, "--with-secrets"], sealed)).toMatch(
    /neither in the environment nor in .*secrets.json/,
  );
  expect(existsSync(join(folder, "data", "secrets.json"))).toBe(false);
});

test("a file that exists, a missing folder, a short passphrase and no place at all are refused", async () => {
  const missing = /^There is no folder .*unmounted\. Create it, or name a new file/;
  expect(await refusal(["--to", join(folder, "unmounted")])).toMatch(missing);
  const file = join(folder, "taken.tar.gz");
  writeFileSync(file, "taken");
  expect(await refusal(["--to", file])).toBe(`${file} exists already.\n`);
  expect(readFileSync(file, "utf8")).toBe("taken");
  for (const missing of [join(folder, "nowhere"), file]) {
    expect(await refusal(["--to", join(missing, "x.tar.gz")])).toBe(`There is no folder ${missing}.\n`);
  }
  writeFileSync(join(folder, "short"), "short");
  expect(await refusal(["--to", to, "--passphrase-file", join(folder, "short")])).toMatch(/at least 12 characters/);
  expect(await refusal([])).toBe("Say --to, or set BACKUP_DIR.\n");
  expect(await refusal(["--to", to], { DATABASE_URL: new URL("/postgres", world.url).href })).toMatch(
    /^This database has no data of License Desk\.$/m,
  );
});

test("of two backups at once, the second is refused", async () => {
  const first = await openSnapshot(world.url);
  try {
    expect(await refusal(["--to", to])).toBe("Another backup of this database is running.\n");
  } finally {
    await first.close();
  }
  await made(["--to", to, "--no-verify"]);
});

test("a full disk is reported in one line, and leaves neither a file nor a change", async () => {
  const limited = `trap "" XFSZ; ulimit -f 8; exec "$0" scripts/admin.ts backup --no-verify --to "$1"`;
  const database = { DATA_DIR: join(folder, "data"), DATABASE_URL: world.url };
  const env = { ...compiledCode, ...database, PATH: process.env.PATH, NODE_ENV: "test" };
  const run = () =>
    execFileSync("sh", ["-c", limited, process.execPath, to], { env: env as NodeJS.ProcessEnv, stdio: "pipe" });
  expect(run).toThrow(/The backup could not be written to .*backups: EFBIG: file too large, write\./);
  expect(readdirSync(to)).toEqual([]);
});
