-- Writes wallet.low_balance once when the available balance falls below the reseller's threshold; re-arms when it is back.
-- Raises nothing.
create or replace function emit_low_balance(p_wallet wallets, p_now timestamptz) returns void language plpgsql as $$
declare
  is_low boolean := p_wallet.posted - p_wallet.held < p_wallet.low_balance_threshold;
begin
  if is_low and p_wallet.low_balance_emitted_at is null then
    update wallets set low_balance_emitted_at = p_now where reseller_id = p_wallet.reseller_id;
    insert into events (id, reseller_id, kind, data, occurred_at)
    values (gen_random_uuid(), p_wallet.reseller_id, 'wallet.low_balance',
            jsonb_build_object('currency', p_wallet.currency,
                               'balance', to_major(p_wallet.posted - p_wallet.held, p_wallet.minor_digits),
                               'threshold', to_major(p_wallet.low_balance_threshold, p_wallet.minor_digits)), p_now);
  elsif not is_low and p_wallet.low_balance_emitted_at is not null then
    update wallets set low_balance_emitted_at = null where reseller_id = p_wallet.reseller_id;
  end if;
end $$;
