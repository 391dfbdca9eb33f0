-- Wakes a worker to deliver webhooks, unless a wake-up is already waiting. The queue job has no key: transactions with a
-- locked wallet would wait for its row. The workers' own timer covers a missed wake-up.
-- Raises nothing: see wake_worker.
create or replace function wake_webhook_delivery() returns void language plpgsql as $$
begin
  if not exists (select from graphile_worker.jobs j
                  where j.task_identifier = 'deliver_webhooks' and j.locked_at is null and j.attempts < j.max_attempts) then
    perform graphile_worker.add_job('deliver_webhooks', max_attempts => 1);
  end if;
exception when others then
  return;
end $$;
