-- Trigger: makes a table append-only.
-- Raises 23000 on every update, delete and truncate.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
