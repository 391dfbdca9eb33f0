-- Marks held operations as sent, right before their requests go to the provider.
--   p_marks   [{id, reseller_id, token, now}]
-- Returns the tokens of the claims whose operations it marked: not those that another claim has replaced, or that have ended.
-- Raises nothing.
-- The settings and `is not distinct from` are explained in `settle_operations`.
create or replace function mark_operations_sent(p_marks jsonb) returns setof uuid language plpgsql
set plan_cache_mode to force_generic_plan set join_collapse_limit to 1 set from_collapse_limit to 1 set cpu_tuple_cost to 10
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
begin
  return query
    update operations o set state = 'sent', sent_at = m.now, attempt = o.attempt + 1
      -- Their state is a column of the list: few operations are held, and a condition on that could start from them.
      from (select m.*, 'held'::operation_state as state
              from jsonb_to_recordset(p_marks) as m (id uuid, reseller_id int, token uuid, now timestamptz) offset 0) m
     where o.id = m.id and o.reseller_id is not distinct from m.reseller_id and o.lease_token = m.token and o.state = m.state
    returning o.lease_token;
end $$;
