-- The price that automatic renewals may charge after an operation that would agree to p_after. What an API key with a
-- spending limit does agrees to no higher price, and to none of another cycle: a lower one there leaves none.
--   p_before          null: none was agreed to
--   p_is_limited      by such a key, with auto-renew on; null: false
--   p_changes_cycle   null: false
-- Raises nothing.
create or replace function agreed_price(p_before bigint, p_after bigint, p_is_limited boolean, p_changes_cycle boolean)
returns bigint language sql immutable as $$
  select case when p_is_limited is not true then p_after
              when (p_after <= p_before) is not true then p_before
              when p_changes_cycle then null
              else p_after end
$$;
