import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_LOG_BYTES, openPostgresLog } from "./postgres-log.ts";

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "license-desk-log-"));
  file = join(dir, "postgres.log");
});
afterEach(() => rmSync(dir, { recursive: true }));

const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0);

test("a start appends, and its tail has only its own lines", () => {
  writeFileSync(file, "PANIC: the reason of the crash\n");
  const log = openPostgresLog(file);
  expect(log.tail()).toBe("");
  appendFileSync(file, "starting\n");
  expect(log.tail()).toBe("starting");
  log.close();
  expect(readFileSync(file, "utf8")).toBe("PANIC: the reason of the crash\nstarting\n");
});

test("a long log is rotated at the start, and the previous one is kept", () => {
  writeFileSync(file, "x".repeat(MAX_LOG_BYTES + 1));
  openPostgresLog(file).close();
  expect(sizeOf(`${file}.1`)).toBe(MAX_LOG_BYTES + 1);
  expect(sizeOf(file)).toBe(0);
  writeFileSync(file, "y".repeat(MAX_LOG_BYTES + 2));
  openPostgresLog(file).close();
  expect(sizeOf(`${file}.1`)).toBe(MAX_LOG_BYTES + 2);
  expect(existsSync(`${file}.2`)).toBe(false);
});

test("a log that grows while the server runs is rotated", () => {
  const log = openPostgresLog(file);
  appendFileSync(log.descriptor, "x".repeat(MAX_LOG_BYTES + 1));
  log.rotateIfLong();
  appendFileSync(log.descriptor, "after\n");
  expect(readFileSync(file, "utf8")).toBe("after\n");
  expect(sizeOf(`${file}.1`)).toBe(MAX_LOG_BYTES + 1);
  log.rotateIfLong();
  expect(log.tail()).toBe("after");
  log.close();
});

test("only the owner can read both files", () => {
  writeFileSync(file, "x".repeat(MAX_LOG_BYTES + 1), { mode: 0o600 });
  openPostgresLog(file).close();
  for (const path of [file, `${file}.1`]) expect(statSync(path).mode & 0o777).toBe(0o600);
});
