import { globSync } from "node:fs";
import { join } from "node:path";
import { type Statement, statements } from "#lib/db/connection/statement.ts";

const root = join(import.meta.dirname, "..", "..");

/** All statements with a constant text in lib/db. */
export async function loadStatements(): Promise<readonly Statement<unknown>[]> {
  const modules = globSync("lib/db/**/*.ts", { cwd: root, exclude: ["**/*.test.ts", "lib/db/generated/**"] });
  await Promise.all(modules.map((file) => import(join(root, file))));
  return statements;
}
