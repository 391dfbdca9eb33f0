-- Creates the partition of p_table for the times from p_from, before p_until, with the rows that its default partition has
-- of them. Does nothing if it exists. Returns false, and changes nothing, if another session keeps a lock: whatever reads
-- or writes the table waits behind this one, so it waits for half a second only.
-- Raises 42P17 if another partition has some of these times.
create or replace function create_partition(p_table text, p_from timestamptz, p_until timestamptz)
returns boolean language plpgsql set lock_timeout = '500ms' as $$
declare
  v_name text := format('%s_%s', p_table, to_char(p_from at time zone 'UTC', 'YYYYMMDD'));
  v_default text := p_table || '_default';
  v_time text;
begin
  execute format('lock table only %I in share update exclusive mode', p_table);
  if to_regclass(v_name) is not null then
    return true;
  end if;
  select a.attname into strict v_time
    from pg_partitioned_table t join pg_attribute a on a.attrelid = t.partrelid and a.attnum = t.partattrs[0]
   where t.partrelid = p_table::regclass;
  execute format('lock table %I in access exclusive mode', v_default);
  execute format('create table %I (like %I including all)', v_name, p_table);
  execute format('with moved as (delete from %1$I where %2$I >= $1 and %2$I < $2 returning *) insert into %3$I select * from moved',
                 v_default, v_time, v_name) using p_from, p_until;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_table, v_name, p_from, p_until);
  return true;
exception when lock_not_available then
  return false;
end $$;
