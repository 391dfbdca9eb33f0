/** The sources of the database: prisma/schema for tables and enums, prisma/sql for everything else. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { diffToSchema } from "./schema-engine.ts";

const root = join(import.meta.dirname, "..", "..");
export const migrationsDir = join(root, "prisma", "migrations");
const sqlDir = join(root, "prisma", "sql");

export type DatabaseSources = {
  /** Creates the tables, enums and plain indexes of prisma/schema in an empty database. */
  schemaScript: string;
  /** Function name → the text of its file. */
  functions: ReadonlyMap<string, string>;
  rules: string;
  triggers: string;
};

/** Reads prisma/schema and prisma/sql. The schema engine needs a connection, but does not change the database. */
export async function readSources(databaseUrl: string): Promise<DatabaseSources> {
  const functionsDir = join(sqlDir, "functions");
  const files = (await readdir(functionsDir)).filter((file) => file.endsWith(".sql")).sort();
  const functions = new Map<string, string>();
  for (const file of files)
    functions.set(file.slice(0, -".sql".length), await readFile(join(functionsDir, file), "utf8"));
  return {
    schemaScript: await diffToSchema({ from: "empty", databaseUrl }),
    functions,
    rules: await readFile(join(sqlDir, "rules.sql"), "utf8"),
    triggers: await readFile(join(sqlDir, "triggers.sql"), "utf8"),
  };
}

/** Lets functions be created before those that they call. */
export const UNCHECKED_BODIES = "set local check_function_bodies = off;\n";

/** One script that creates the objects of prisma/sql. */
export function sqlScript(sources: DatabaseSources): string {
  return [UNCHECKED_BODIES, ...sources.functions.values(), sources.rules, sources.triggers].join("\n");
}

/** Without comments and empty lines, except in bodies of functions, which the database stores. */
function withoutComments(script: string): string {
  const parts = script
    .split("$$")
    .map((part, index) => (index % 2 === 0 ? part.replace(/\n(--.*)?(?=\n)/g, "") : part));
  return parts.join("$$");
}

/** The whole database as one migration; deterministic. */
export function baselineScript(sources: DatabaseSources): string {
  const header =
    "-- Generated from prisma/schema and prisma/sql. Do not edit: change those, then run `npm run db:migration -- --baseline`.\n";
  return withoutComments([header, `${sources.schemaScript.trim()}\n`, sqlScript(sources)].join("\n"));
}
