-- Drops a partition with its rows, unless p_table has no such partition. Returns false, and changes nothing, if another
-- session keeps a lock: whatever reads or writes the table waits behind this one, so it waits for half a second only.
-- Raises 42P01 if there is no such table.
create or replace function drop_partition(p_table text, p_name text) returns boolean language plpgsql set lock_timeout = '500ms' as $$
begin
  execute format('lock table only %I in access exclusive mode', p_table);
  if exists (select from partitions_of(p_table) where name = p_name) then
    execute format('drop table %I', p_name);
  end if;
  return true;
exception when lock_not_available then
  return false;
end $$;
