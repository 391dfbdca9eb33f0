-- Trigger: balances the lots of a changed license at the end of the transaction, when the plan of an operation is applied.
-- Raises nothing.
create or replace function balance_changed_core_lots() returns trigger language plpgsql as $$
begin
  perform balance_core_lots(new.id);
  return null;
end $$;
