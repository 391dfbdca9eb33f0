-- Trigger: writes the messages about new events, in their transaction.
-- Raises nothing.
create or replace function queue_event_mails() returns trigger language plpgsql as $$
begin
  perform queue_mails('low_balance', n.reseller_id, n.data, n.occurred_at) from new_events n
   where n.kind = 'wallet.low_balance' and n.test_endpoint_id is null;
  return null;
end $$;
