-- Trigger: makes a table append-only. A lot counts the cores that its credits have removed, and nothing else
-- (count_removed_cores). In a sandbox, the dates of paid terms, lots and credits can move (advance_license).
-- Raises 23000 on every other update, delete and truncate.
create or replace function refuse_change() returns trigger language plpgsql as $$
declare
  dates constant text[] := array['starts_at', 'ends_at', 'credited_from'];
begin
  if tg_op = 'UPDATE' then
    if tg_table_name = 'core_lots' and to_jsonb(new) - 'removed_cores' = to_jsonb(old) - 'removed_cores' then
      if new.removed_cores = (select used.removed_cores from core_lot_use(new.id) used) then return new; end if;
    end if;
    if to_jsonb(new) - dates = to_jsonb(old) - dates and exists (
         select from licenses l
          where l.id = coalesce((to_jsonb(old) ->> 'license_id')::int,
                                (select t.license_id from core_lots t where t.id = (to_jsonb(old) ->> 'lot_id')::int))
            and sandbox_of(l.reseller_id) <> 0)
    then return new; end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
