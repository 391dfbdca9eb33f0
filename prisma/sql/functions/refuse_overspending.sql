-- Called with the wallet locked, for a held operation of an API key.
-- Raises LD012 (detail: {limit, spent, price, currency}, in minor units) if it has a spending limit and the charges of the
-- month exceed it.
create or replace function refuse_overspending(op operations) returns void language plpgsql as $$
declare
  month_limit bigint;
  spent bigint;
begin
  if op.spending_key_id is null then return; end if;
  select k.spending_limit into month_limit from api_keys k where k.id = substring(op.actor from '^key:([0-9]+)$')::int;
  spent := spent_by_key(op.spending_key_id, op.created_at);
  if spent > month_limit then
    raise exception 'the spending limit is reached' using errcode = 'LD012',
      detail = json_build_object('limit', month_limit::text, 'spent', (spent - op.hold_amount)::text,
                                 'price', op.hold_amount::text, 'currency', op.currency);
  end if;
end $$;
