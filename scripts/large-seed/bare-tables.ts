import type { ClientBase } from "pg";

interface Part {
  readonly drop: string;
  readonly create: string;
}

/** Foreign keys and exclusion constraints first: an index may support them. */
const constraintsQuery = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as "drop",
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as "create"
    from pg_constraint where conrelid = any ($1::regclass[]) and contype in ('f', 'x')
  union all
  select format('drop index %s', i.indexrelid::regclass), replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ')
    from pg_index i
   where i.indrelid = any ($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`;

/**
 * Runs `fill` without the tables' indexes, foreign keys and triggers, which is several times as fast, then restores and
 * validates them. The caller holds a transaction, so other sessions never see the bare tables and any failure rolls
 * back.
 */
export async function withBareTables(
  client: ClientBase,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const { rows: parts } = await client.query<Part>(constraintsQuery, [tables]);
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  for (const part of parts) await client.query(part.drop);
  await fill();
  for (const part of parts.toReversed()) await client.query(part.create);
  for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
}
