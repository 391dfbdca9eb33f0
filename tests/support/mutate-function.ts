import { expect } from "vitest";
import type { Database } from "#lib/db/connection/client.ts";
import { sql } from "#tests/sql.ts";

/** Replaces a part of a database function. Fails if the part does not exist. */
export async function mutateFunction(db: Database, name: string, from: string | RegExp, to = ""): Promise<void> {
  const [row] = await db.query(
    sql<{ definition: string }>("select pg_get_functiondef(oid) as definition from pg_proc where proname = $1"),
    [name],
  );
  const definition = row?.definition ?? "";
  const mutant = definition.replace(from, to);
  expect(mutant).not.toBe(definition);
  await db.query(sql(mutant), []);
}
