-- Trigger: balances the lots of a license at the end of the transaction, when the plan of an operation is applied.
-- Raises nothing.
create or replace function balance_changed_core_lots() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'licenses' then
    perform balance_core_lots(new.id);
  else
    perform balance_core_lots(new.license_id);
  end if;
  return null;
end $$;
