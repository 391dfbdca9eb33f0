-- Returns the partitions of a table with the times that each has rows of, without its default partition.
-- Raises 42P01 if there is no such table.
create or replace function partitions_of(p_table text)
returns table (name text, starts_at timestamptz, ends_at timestamptz) language sql stable as $$
  select p.relname, b.bounds[1]::timestamptz, b.bounds[2]::timestamptz
    from pg_inherits i
    join pg_class p on p.oid = i.inhrelid
   cross join regexp_match(pg_get_expr(p.relpartbound, p.oid), 'FROM \(''(.+)''\) TO \(''(.+)''\)') b (bounds)
   where i.inhparent = p_table::regclass and b.bounds is not null
$$;
