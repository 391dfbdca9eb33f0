-- Trigger: queues every new event for each endpoint subscribed to its kind, in the event's transaction. A test event
-- goes to its endpoint only. Paused and disabled endpoints get nothing; pending ones queue 24 hours of events until they
-- meet their challenge. The lock prevents an endpoint from being deleted between the lookup and the insert.
-- Raises nothing.
create or replace function queue_webhook_deliveries() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (event_id, endpoint_id, reseller_id, next_attempt_at, created_at)
  select n.id, e.id, n.reseller_id, n.occurred_at, n.occurred_at
    from new_events n
    join webhook_endpoints e on e.reseller_id = n.reseller_id
   where e.paused_at is null and e.disabled_at is null
     and (e.pending_since is null or n.id = e.challenge_event_id or n.occurred_at < e.pending_since + interval '24 hours')
     and case when n.test_endpoint_id is null then cardinality(e.kinds) = 0 or n.kind = any (e.kinds) else e.id = n.test_endpoint_id end
   order by n.sequence, e.id
     for key share of e;
  if found then perform wake_webhook_delivery(); end if;
  return null;
end $$;
