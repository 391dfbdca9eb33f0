-- Returns a reseller's open sandbox, and creates it with play money at the first call. A sandbox copies the reseller's
-- name, currency and renewal settings.
--   p_play_money   minor units
-- Raises LD011 if the reseller is itself a sandbox, 23503 if there is none.
create or replace function open_sandbox(p_reseller_id int, p_play_money bigint, p_actor text, p_now timestamptz)
returns int language plpgsql as $$
declare
  opened int;
begin
  insert into resellers (name, email, currency, expiring_soon_days, renew_ahead_days, price_notice_days, max_increase_percent,
                         sandbox_of, created_at)
  select r.name, r.email, r.currency, r.expiring_soon_days, r.renew_ahead_days, r.price_notice_days, r.max_increase_percent,
         r.id, p_now
    from resellers r where r.id = p_reseller_id
  on conflict (sandbox_of) where sandbox_closed_at is null do nothing
  returning id into opened;
  if opened is null then
    select id into opened from resellers where sandbox_of = p_reseller_id and sandbox_closed_at is null;
    if opened is null then
      raise exception 'there is no reseller %', p_reseller_id using errcode = 'foreign_key_violation';
    end if;
    return opened;
  end if;
  insert into wallets (reseller_id, currency, minor_digits)
  select opened, w.currency, w.minor_digits from wallets w where w.reseller_id = p_reseller_id;
  perform post_ledger_entry(opened, 'top_up', 'top_ups', p_play_money, null, 'Play money', p_actor, null, null, p_now);
  return opened;
end $$;
