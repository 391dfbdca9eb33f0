-- Locks the wallets of a list in one order.
--   p_list   [{reseller_id}]
-- Raises nothing.
create or replace function lock_wallets(p_list jsonb) returns void language plpgsql as $$
begin
  perform from wallets w
   where w.reseller_id = any (array(select l.reseller_id from jsonb_to_recordset(p_list) as l (reseller_id int)))
   order by w.reseller_id for no key update;
end $$;
