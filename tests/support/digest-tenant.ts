import type { Database } from "#lib/db/connection/client.ts";
import { sql } from "#tests/sql.ts";

/**
 * Every row that belongs to a reseller, table by table: those that name it, and those that refer to such a row. The
 * catalog of the database says which.
 */
export async function digestTenant(db: Database, resellerId: number): Promise<Record<string, string>> {
  const references = await db.query(
    sql<{
      table: string;
      column: string;
      target: string;
      key: string;
    }>(`select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as target, k.attname as key
             from pg_constraint c
             join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
             join pg_attribute k on k.attrelid = c.confrelid and k.attnum = c.confkey[1]
            where c.contype = 'f' and c.connamespace = 'public'::regnamespace
            order by 1, 2`),
    [],
  );
  const tables = [...new Set(references.flatMap(({ table, target }) => [table, target]))].toSorted();
  const owned = (table: string, above: readonly string[]): string | null => {
    if (table === "resellers") return "id = $1";
    const own = references.filter((reference) => reference.table === table && !above.includes(reference.target));
    if (own.some(({ target, column }) => target === "resellers" && column === "reseller_id")) return "reseller_id = $1";
    const ways = own.flatMap(({ column, target, key }) => {
      const condition = owned(target, [...above, table]);
      return condition === null ? [] : [`${column} in (select ${key} from ${target} where ${condition})`];
    });
    return ways.length === 0 ? null : ways.join(" or ");
  };
  const digests: Record<string, string> = {};
  for (const table of tables) {
    const condition = owned(table, []);
    if (condition === null) continue;
    const [row] = await db.query(
      sql<{ rows: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ';' order by t::text)), '') as rows from ${table} t where ${condition}`,
      ),
      [resellerId],
    );
    digests[table] = row?.rows ?? "";
  }
  return digests;
}
