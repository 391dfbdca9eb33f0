-- Called when the available balance did not cover a price. Returns if money has arrived meanwhile: the caller retries.
--   p_currency   null: the wallet's
-- Raises LD002 (detail: {price, missing, currency}, in minor units) if the balance is still too low.
create or replace function refuse_short_wallet(p_reseller_id int, p_price bigint, p_currency text) returns void language plpgsql as $$
declare
  wallet wallets;
  missing bigint;
begin
  select * into strict wallet from wallets w where w.reseller_id = p_reseller_id;
  if wallet.currency <> p_currency then
    raise exception 'a price in % cannot be charged to a wallet in %', p_currency, wallet.currency;
  end if;
  missing := p_price - (wallet.posted - wallet.held);
  if missing > 0 then
    raise exception 'insufficient balance' using errcode = 'LD002',
      detail = json_build_object('price', p_price::text, 'missing', missing::text, 'currency', wallet.currency);
  end if;
end $$;
