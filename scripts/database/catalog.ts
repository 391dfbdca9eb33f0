/** The objects of a database, read from PostgreSQL's catalogs in a comparable form. */
import type pg from "pg";

export type ObjectKind =
  | "extension"
  | "enum"
  | "table"
  | "column"
  | "constraint"
  | "index"
  | "function"
  | "trigger"
  | "rows of";

export type CatalogObject = {
  kind: ObjectKind;
  /** Unique within its kind. An object of a table is named `<table>.<name>`. */
  name: string;
  definition: string;
  /** What dependents use: a function's arguments and result, a column's type. Else empty. */
  signature: string;
};

/** `<kind> <name>` → object. */
export type Catalog = ReadonlyMap<string, CatalogObject>;

/** Without Prisma's own table. A partitioned table includes its partitions, which change by themselves. */
const OBJECTS_SQL = `
  with tables as (
    select c.oid, c.relname from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
       and c.relname <> '_prisma_migrations'
  )
  select 'extension' as kind, extname::text as name, '' as definition, '' as signature from pg_extension where extname <> 'plpgsql'
  union all
  select 'enum', t.typname, string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder), ''
    from pg_type t join pg_enum e on e.enumtypid = t.oid where t.typnamespace = 'public'::regnamespace group by t.typname
  union all
  select 'table', t.relname, coalesce('partition by ' || pg_get_partkeydef(t.oid) || ', default ' || p.partdefid::regclass, ''), ''
    from tables t left join pg_partitioned_table p on p.partrelid = t.oid
  union all
  select 'column', t.relname || '.' || a.attname,
         concat_ws(' ', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' end,
                   case when a.attidentity <> '' then 'identity ' || a.attidentity::text end,
                   case a.attgenerated when 's' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
                                       when 'v' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ')'
                                       else 'default ' || pg_get_expr(d.adbin, d.adrelid) end),
         format_type(a.atttypid, a.atttypmod)
    from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  union all
  select 'constraint', t.relname || '.' || c.conname, pg_get_constraintdef(c.oid, true), ''
    from tables t join pg_constraint c on c.conrelid = t.oid and c.contype not in ('n', 't')
  union all
  select 'index', t.relname || '.' || i.relname, replace(pg_get_indexdef(x.indexrelid, 0, true), ' ON ONLY ', ' ON '), ''
    from tables t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
   where not exists (select from pg_constraint c where c.conindid = x.indexrelid and c.conrelid = x.indrelid)
  union all
  select 'trigger', t.relname || '.' || g.tgname, pg_get_triggerdef(g.oid, true) || case g.tgenabled when 'O' then '' else ' enabled: ' || g.tgenabled::text end, ''
    from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
  union all
  select 'function', p.proname, string_agg(pg_get_functiondef(p.oid), e'\\n' order by p.oid::regprocedure::text),
         string_agg(format('(%s) returns %s', pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)), ', ' order by p.oid::regprocedure::text)
    from pg_proc p
   where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
     and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
   group by p.proname
  order by 1, 2`;

/** The rows of a new database, without timestamps. */
async function readRows(client: pg.Client, tables: readonly string[]): Promise<CatalogObject[]> {
  const found: CatalogObject[] = [];
  for (const table of tables) {
    const { rows } = await client.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${client.escapeIdentifier(table)} t order by to_jsonb(t)::text`,
    );
    if (rows.length === 0) continue;
    const { rows: times } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute
        where attrelid = $1::regclass and atttypid = 'timestamptz'::regtype and not attisdropped`,
      [client.escapeIdentifier(table)],
    );
    for (const { row } of rows) for (const { name } of times) delete row[name];
    found.push({ kind: "rows of", name: table, definition: JSON.stringify(rows.map(({ row }) => row)), signature: "" });
  }
  return found;
}

export function keyOf({ kind, name }: Pick<CatalogObject, "kind" | "name">): string {
  return `${kind} ${name}`;
}

export async function readCatalog(client: pg.Client): Promise<Catalog> {
  // Definitions omit schemas in the search path.
  await client.query("set search_path = public");
  const { rows: objects } = await client.query<CatalogObject>(OBJECTS_SQL);
  const tables = objects.filter(({ kind }) => kind === "table").map(({ name }) => name);
  const all = [...objects, ...(await readRows(client, tables))];
  return new Map(all.map((object) => [keyOf(object), object]));
}
