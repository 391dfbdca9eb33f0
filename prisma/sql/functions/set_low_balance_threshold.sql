-- Sets the balance below which the reseller is notified; null turns the notice off. Notifies at once if the balance is
-- already low. Returns no row if the reseller has no wallet.
-- Raises nothing.
create or replace function set_low_balance_threshold(p_reseller_id int, p_threshold bigint, p_actor text, p_now timestamptz, p_request_id text)
returns setof wallets language plpgsql as $$
declare
  wallet wallets;
begin
  update wallets w set
      low_balance_threshold = p_threshold,
      low_balance_emitted_at = case when p_threshold is null then null else w.low_balance_emitted_at end
   where w.reseller_id = p_reseller_id
  returning * into wallet;
  if not found then return; end if;
  perform emit_low_balance(array[p_reseller_id], p_now);
  perform write_audit_entry(p_actor, 'wallet.set_low_balance_threshold', p_reseller_id, 'wallet:' || p_reseller_id, '',
                            jsonb_build_object('threshold', p_threshold::text), p_now, p_request_id);
  return next wallet;
end $$;
