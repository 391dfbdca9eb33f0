import type pg from "pg";

/** The keys of a catalog's objects: `dependent` cannot outlive or keep its contents without `on`. */
export type Dependency = { dependent: string; on: string };

/** Functions and columns that indexes, constraints, triggers and generated columns use. */
const DEPENDENCIES_SQL = `
  with objects as (
    select 'pg_proc'::regclass as classid, oid as objid, 0 as subid, 'function ' || proname as key
      from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select 'pg_class'::regclass, a.attrelid, a.attnum, format('column %s.%s', c.relname, a.attname)
      from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    union all
    select 'pg_attrdef'::regclass, d.oid, 0, format('column %s.%s', c.relname, a.attname)
      from pg_attrdef d join pg_class c on c.oid = d.adrelid join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
     where c.relnamespace = 'public'::regnamespace
    union all
    select 'pg_class'::regclass, i.oid, 0, format('index %s.%s', t.relname, i.relname)
      from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where i.relnamespace = 'public'::regnamespace
    union all
    select 'pg_constraint'::regclass, n.oid, 0, format('constraint %s.%s', t.relname, n.conname)
      from pg_constraint n join pg_class t on t.oid = n.conrelid where n.connamespace = 'public'::regnamespace
    union all
    select 'pg_trigger'::regclass, g.oid, 0, format('trigger %s.%s', t.relname, g.tgname)
      from pg_trigger g join pg_class t on t.oid = g.tgrelid where not g.tgisinternal and t.relnamespace = 'public'::regnamespace
  )
  select distinct dependent.key as dependent, base.key as on
    from pg_depend d
    join objects dependent on dependent.classid = d.classid and dependent.objid = d.objid and dependent.subid = d.objsubid
    join objects base on base.classid = d.refclassid and base.objid = d.refobjid and base.subid = d.refobjsubid
   where dependent.key <> base.key
   order by 1, 2`;

export async function readDependencies(client: pg.Client): Promise<Dependency[]> {
  const { rows } = await client.query<Dependency>(DEPENDENCIES_SQL);
  return rows;
}
