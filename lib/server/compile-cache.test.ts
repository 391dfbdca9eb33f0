import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let root: string;
let dataDir: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "build-"));
  dataDir = join(root, "data");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const module = join(import.meta.dirname, "compile-cache.ts");

/** Runs a process of `build` that loads a module of its own. */
function runProcess(build: string): void {
  mkdirSync(join(root, ".next"), { recursive: true });
  writeFileSync(join(root, ".next", "BUILD_ID"), build);
  writeFileSync(join(root, "loaded.mjs"), "export const loaded = 1;");
  const script = `
    import { enableCompiledCode } from ${JSON.stringify(module)};
    enableCompiledCode(${JSON.stringify(dataDir)}, ${JSON.stringify(root)});
    await import(${JSON.stringify(join(root, "loaded.mjs"))});`;
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  execFileSync(process.execPath, ["--input-type=module", "-e", script], { env });
}

const entriesOf = (build: string) => globSync(join(dataDir, "compile-cache", build, "*", "*"));

test("a process leaves its compiled code for the next start, and that of other builds is removed", () => {
  runProcess("1");
  expect(entriesOf("1").length).toBeGreaterThan(0);
  runProcess("2");
  expect(entriesOf("2").length).toBeGreaterThan(0);
  expect(existsSync(join(dataDir, "compile-cache", "1"))).toBe(false);
});

test("a folder that cannot be written does not prevent the start", () => {
  writeFileSync(dataDir, "");
  expect(() => runProcess("1")).not.toThrow();
});
