-- What an API key and those that replaced it have spent in the month (UTC) of a time, in minor units: charges and holds.
-- Test keys that have moved to a new sandbox have spent nothing there. No index answers `is not distinct from`, so the one of
-- the key is read.
-- Raises nothing.
-- An index scan, unlike a bitmap scan, marks the dead entries that it meets, such as those of rejected operations: later ones
-- skip them.
create or replace function spent_by_key(p_key_id int, p_at timestamptz) returns bigint language sql stable
set enable_bitmapscan to off as $$
  select coalesce(sum(o.hold_amount), 0)::bigint from operations o
   where o.spending_key_id = p_key_id
     and o.reseller_id is not distinct from (select k.reseller_id from api_keys k where k.id = p_key_id)
     and o.hold_amount > 0 and not o.rejected
     and o.created_at >= date_trunc('month', p_at, 'UTC')
     and o.created_at < (date_trunc('month', p_at at time zone 'UTC') + interval '1 month') at time zone 'UTC'
$$;
