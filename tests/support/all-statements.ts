import { globSync } from "node:fs";
import { join } from "node:path";
import { type Statement, statements } from "#lib/db/connection/statement.ts";

const root = join(import.meta.dirname, "..", "..");

/** All statements with a constant text in lib/db. */
export async function loadStatements(): Promise<readonly Statement<unknown>[]> {
  const modules = globSync("lib/db/**/*.ts", { cwd: root, exclude: ["**/*.test.ts", "lib/db/generated/**"] });
  // One after the other: Vitest now and then evaluates a module twice that several import at the same time.
  for (const file of modules) await import(join(root, file));
  return statements;
}
