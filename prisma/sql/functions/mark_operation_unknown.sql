-- Ends a claim with an unknown outcome. The money stays held, so the balance may have fallen below the reseller's threshold.
--   p_ask_after   when the provider is asked again
-- Raises nothing.
create or replace function mark_operation_unknown(
  p_id uuid, p_reseller_id int, p_token uuid, p_message text, p_ask_after interval, p_now timestamptz
) returns void language plpgsql as $$
begin
  update operations o
     set state = 'unknown', failure_message = p_message, owner_id = null, ask_at = clock_timestamp() + p_ask_after
   where o.id = p_id and o.reseller_id = p_reseller_id and o.lease_token = p_token and o.state in ('held', 'sent');
  if not found then return; end if;
  perform from wallets w where w.reseller_id = p_reseller_id and w.low_balance_threshold is not null for no key update;
  if found then perform emit_low_balance(array[p_reseller_id], p_now); end if;
end $$;
