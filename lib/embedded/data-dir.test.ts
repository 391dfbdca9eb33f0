import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DataDirInUseError, loadSecrets, lockDataDir, openDataDir } from "./data-dir.ts";
import { processBirth } from "./process-identity.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = openDataDir(join(mkdtempSync(join(tmpdir(), "data-dir-")), "data"));
});

afterEach(() => rmSync(join(dataDir, ".."), { recursive: true }));

function writeLock(holder: { pid: number; birth: string | null; url: string | null }): void {
  writeFileSync(join(dataDir, "license-desk.lock"), JSON.stringify(holder));
}

test("nobody but the owner can look into the folder or at the secrets", () => {
  loadSecrets(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
});

test("secrets are made once and stay", () => {
  const first = loadSecrets(dataDir);
  expect(loadSecrets(dataDir)).toEqual(first);
  expect(new Set(Object.values(first)).size).toBe(3);
});

test("a secret from the environment wins, and is not written down", () => {
  const stored = loadSecrets(dataDir);
  expect(loadSecrets(dataDir, { authSecret: "from-outside" })).toEqual({ ...stored, authSecret: "from-outside" });
  expect(readFileSync(join(dataDir, "secrets.json"), "utf8")).not.toContain("from-outside");
});

test("damaged secrets are an error, never replaced", () => {
  writeFileSync(join(dataDir, "secrets.json"), "{}");
  expect(() => loadSecrets(dataDir)).toThrow(/secrets.json/);
});

test("a second process is told who runs and where", () => {
  const lock = lockDataDir(dataDir);
  lock.publishUrl("http://127.0.0.1:3000");
  expect(() => lockDataDir(dataDir)).toThrow(DataDirInUseError);
  expect(() => lockDataDir(dataDir)).toThrow(`(process ${process.pid}, http://127.0.0.1:3000)`);
  lock.release();
  lockDataDir(dataDir).release();
});

test("the lock of a dead process is no lock", () => {
  writeLock({ pid: 2 ** 22 + 1, birth: "long ago", url: null });
  lockDataDir(dataDir).release();
});

test("the lock of a process whose number another one has now is no lock", () => {
  if (processBirth(process.ppid) === null) return;
  writeLock({ pid: process.ppid, birth: "long ago", url: null });
  lockDataDir(dataDir).release();
});
