import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compiledCode } from "#tests/compiled-code.ts";
import { sql } from "#tests/sql.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";

const script = join(import.meta.dirname, "..", "..", "scripts", "admin.ts");
/** Exit code that a shell reports after SIGPIPE. */
const CLOSED_PIPE = 141;

let world: World;
let dataDir: string;
let statement: string[];
beforeAll(async () => {
  world = await newWorld();
  dataDir = mkdtempSync(join(tmpdir(), "license-desk-pipe-"));
  const { id } = await world.reseller();
  await world.db.query(
    sql(`select count(*) from generate_series(1, 2500) n, lateral post_ledger_entry(
             $1, 'adjustment', 'adjustments', 1, 'T-' || n, repeat('note ', 20), 'test', null, null, now())`),
    [id],
  );
  statement = ["wallet", "statement", "--reseller", String(id), "--from", "2020-01-01", "--to", "2099-01-01"];
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
  await world.close();
});

/** Pipes a command's output into another program; returns the command's own exit code. */
function pipe(args: readonly string[], redirect: string, reader: string) {
  const env = {
    ...compiledCode,
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    DATABASE_URL: world.url,
    API_KEY_PEPPER: PEPPER,
  };
  const line = `exec 3>&1; { "$0" "$@" ${redirect}; echo "exit $?" >&3; } | ${reader}`;
  return new Promise<{ readonly stdout: string; readonly stderr: string }>((resolve) => {
    execFile("sh", ["-c", line, process.execPath, script, ...args], { env: env as never }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });
}

test.each([
  ["JSON", () => ["reseller", "list"]],
  ["a streamed table", () => statement],
  ["plain text", () => ["database", "url"]],
  ["help", () => ["--help"]],
])("a command that prints %s ends quietly when its reader is gone", async (_, args) => {
  expect(await pipe(args(), "", "true")).toEqual({ stdout: `exit ${CLOSED_PIPE}\n`, stderr: "" });
});

test("a long table stops after the requested lines", async () => {
  const { stdout, stderr } = await pipe(statement, "", "head -1");
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^time,entry,[^\n]*\nexit 141\n$/);
});

test("an error without a reader keeps its exit code", async () => {
  expect(await pipe(["api-key", "list", "--reseller", "999999"], "2>&1", "true")).toEqual({
    stdout: "exit 1\n",
    stderr: "",
  });
});

test("commands write to stdout only through output.ts", () => {
  const direct = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && file !== "output.ts")
    .filter((file) => /process\.stdout|console\./.test(readFileSync(join(import.meta.dirname, file), "utf8")));
  expect(direct).toEqual([]);
});
