-- Trigger: ends a pending item with its operation, and wakes the job. Marks a rejected revert as `Not reverted`, as
-- lib/services/bulk/run-item.ts does.
-- Raises nothing.
create or replace function settle_bulk_item() returns trigger language plpgsql as $$
declare
  settled record;
begin
  for settled in
    update bulk_job_items i set
        state = bulk_item_state_of(new.state, j.state),
        error_code = case when new.state = 'rejected' then 'provider_rejected' end,
        error_message = case when new.state = 'rejected' then
          case when j.state = 'undoing' then 'Not reverted: ' || coalesce(new.failure_message, 'The provider rejected it.') else new.failure_message end end,
        charged_amount = i.charged_amount + case when new.state = 'succeeded' then new.price else 0 end,
        ended_at = new.settled_at
      from bulk_jobs j
     where i.operation_id = new.id and i.reseller_id = new.reseller_id and i.state = 'pending' and j.id = i.job_id and j.reseller_id = i.reseller_id
    returning j.id as job_id, j.state as job_state
  loop
    if settled.job_state <> 'finished' then perform wake_bulk_job(settled.job_id, new.settled_at); end if;
  end loop;
  return null;
end $$;
