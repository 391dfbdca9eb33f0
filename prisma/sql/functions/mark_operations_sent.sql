-- Marks held operations as sent, right before their requests go to the provider.
--   p_marks   [{id, reseller_id, token, now}]
-- Returns the ids of those that it marked: not those that another claim has taken, or that have ended.
-- Raises nothing.
--
-- The settings and `is not distinct from` are explained in `settle_operations`.
create or replace function mark_operations_sent(p_marks jsonb) returns setof uuid language plpgsql
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
begin
  return query
    update operations o set state = 'sent', sent_at = m.now, attempt = o.attempt + 1
      from jsonb_to_recordset(p_marks) as m (id uuid, reseller_id int, token uuid, now timestamptz)
     where o.id = m.id and o.reseller_id is not distinct from m.reseller_id and o.lease_token = m.token
       and o.state is not distinct from 'held'
    returning o.id;
end $$;
