-- Trigger: makes a table append-only. In a sandbox, the dates of paid terms, lots and credits can move (advance_license).
-- Raises 23000 on every other update, delete and truncate.
create or replace function refuse_change() returns trigger language plpgsql as $$
declare
  dates constant text[] := array['starts_at', 'ends_at', 'credited_from'];
begin
  if tg_op = 'UPDATE' then
    if to_jsonb(new) - dates = to_jsonb(old) - dates and exists (
         select from licenses l
          where l.id = coalesce((to_jsonb(old) ->> 'license_id')::int,
                                (select t.license_id from core_lots t where t.id = (to_jsonb(old) ->> 'lot_id')::int))
            and sandbox_of(l.reseller_id) <> 0)
    then return new; end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
