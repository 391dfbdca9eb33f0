-- Writes wallet.low_balance, and the messages about it, once for each wallet whose available balance has fallen below the
-- reseller's threshold; re-arms when it is back. Call it with the wallets locked.
-- Raises nothing.
create or replace function emit_low_balance(p_reseller_ids int[], p_now timestamptz) returns void language plpgsql as $$
declare
  crossed int[];
  low record;
begin
  crossed := array(select w.reseller_id from wallets w
                    where w.reseller_id = any (p_reseller_ids)
                      and (w.low_balance_emitted_at is not null) is distinct from coalesce(w.posted - w.held < w.low_balance_threshold, false));
  if crossed = '{}' then return; end if;
  for low in
    with changed as (
      update wallets w set low_balance_emitted_at = case when w.low_balance_emitted_at is null then p_now end
       where w.reseller_id = any (crossed) returning w.*
    )
    insert into events (id, reseller_id, kind, data, occurred_at)
    select gen_random_uuid(), w.reseller_id, 'wallet.low_balance',
           jsonb_build_object('currency', w.currency, 'balance', to_major(w.posted - w.held, w.minor_digits),
                              'threshold', to_major(w.low_balance_threshold, w.minor_digits)), p_now
      from changed w where w.low_balance_emitted_at is not null
    returning reseller_id, data
  loop
    perform queue_mails('low_balance', low.reseller_id, low.data, p_now);
  end loop;
end $$;
