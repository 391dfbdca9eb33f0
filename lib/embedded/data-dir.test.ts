import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSecrets, openDataDir } from "./data-dir.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = openDataDir(join(mkdtempSync(join(tmpdir(), "data-dir-")), "data"));
});

afterEach(() => rmSync(join(dataDir, ".."), { recursive: true }));

test("only the owner can read the folder and the secrets", () => {
  loadSecrets(dataDir);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
});

test("secrets are created once and reused", () => {
  const first = loadSecrets(dataDir);
  expect(loadSecrets(dataDir)).toEqual(first);
  expect(new Set(Object.values(first)).size).toBe(3);
});

test("a secret from the environment takes precedence and is not stored", () => {
  const stored = loadSecrets(dataDir);
  expect(loadSecrets(dataDir, { authSecret: "from-outside" })).toEqual({ ...stored, authSecret: "from-outside" });
  expect(readFileSync(join(dataDir, "secrets.json"), "utf8")).not.toContain("from-outside");
});

test("damaged secrets are an error and are never replaced", () => {
  writeFileSync(join(dataDir, "secrets.json"), "{}");
  expect(() => loadSecrets(dataDir)).toThrow(/secrets.json/);
});
