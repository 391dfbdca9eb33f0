-- Locks the wallets of a list, except those that somebody else keeps locked.
--   p_list    [{reseller_id}]
--   p_waits   whether to wait for a locked wallet, up to the lock timeout
-- Returns the resellers whose wallets are not locked now. Waits for nothing once it has a wallet out of order.
-- Raises nothing.
create or replace function lock_free_wallets(p_list jsonb, p_waits boolean) returns int[] language plpgsql as $$
declare
  resellers int[] := array(select l.reseller_id from jsonb_to_recordset(p_list) as l (reseller_id int));
  free int[];
begin
  if p_waits then
    begin
      perform lock_wallets(p_list);
      return '{}';
    exception when lock_not_available then
      null;
    end;
  end if;
  free := array(select w.reseller_id from wallets w where w.reseller_id = any (resellers) for no key update skip locked);
  return array(select w.reseller_id from wallets w where w.reseller_id = any (resellers) and w.reseller_id <> all (free));
end $$;
