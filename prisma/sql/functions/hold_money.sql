-- Reserves the money of holds in their wallets.
--   p_holds   as `hold_operations` describes them
-- Raises LD002 if the funds of a wallet are insufficient, LD010 if a suspended reseller would pay.
create or replace function hold_money(p_holds jsonb) returns void language plpgsql as $$
declare
  short record;
begin
  perform lock_wallets(p_holds);
  with total as (
    select h.reseller_id, sum(h.hold_amount)::bigint as amount, max(h.currency) filter (where h.currency <> w.currency) as foreign_currency
      from jsonb_to_recordset(p_holds) as h (reseller_id int, currency text, hold_amount bigint)
      join wallets w on w.reseller_id = h.reseller_id
     where h.hold_amount > 0
     group by h.reseller_id
  ), held as (
    update wallets w set held = w.held + t.amount
      from total t
     where w.reseller_id = t.reseller_id and t.foreign_currency is null and not w.suspended and w.posted - w.held >= t.amount
    returning w.reseller_id
  )
  select t.*, w.suspended into short
    from total t join wallets w on w.reseller_id = t.reseller_id
   where t.reseller_id not in (select held.reseller_id from held)
   order by t.reseller_id limit 1;
  if not found then return; end if;
  if short.suspended then raise exception 'reseller % is suspended', short.reseller_id using errcode = 'LD010'; end if;
  perform refuse_short_wallet(short.reseller_id, short.amount, short.foreign_currency);
end $$;
