-- The price that automatic renewals may charge after a change that would agree to p_after.
--   p_before      null: none was agreed to
--   p_may_raise   false or null: only a lower price is agreed to
-- Raises nothing.
create or replace function agreed_price(p_before bigint, p_after bigint, p_may_raise boolean) returns bigint
language sql immutable as $$
  select case when p_may_raise or p_after <= p_before then p_after else p_before end
$$;
