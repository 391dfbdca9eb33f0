-- The start of the time that a registration or renewal buys.
-- Raises nothing.
create or replace function bought_from(p_operation operations) returns timestamptz language sql stable as $$
  select coalesce((p_operation.plan #>> '{facts,startsAt}')::timestamptz, date_trunc('second', p_operation.created_at))
$$;
