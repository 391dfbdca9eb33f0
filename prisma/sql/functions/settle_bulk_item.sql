-- Trigger: ends a pending item with its operation, and wakes the job. A rejected revert is postponed: the provider may never
-- have received it. If the provider rejects the next try, too, the item fails.
-- Raises nothing.
create or replace function settle_bulk_item() returns trigger language plpgsql as $$
declare
  settled record;
begin
  for settled in
    update bulk_job_items i set
        state = bulk_item_state_of(new.state, j.state),
        error_code = case when new.state = 'rejected' then 'provider_rejected' end,
        error_message = case when new.state = 'rejected' then new.failure_message end,
        charged_amount = i.charged_amount + case when new.state = 'succeeded' then new.price else 0 end,
        ended_at = new.settled_at
      from bulk_jobs j
     where i.operation_id = new.id and i.reseller_id = new.reseller_id and i.state = 'pending' and j.id = i.job_id and j.reseller_id = i.reseller_id
    returning i.id as item_id, j.id as job_id, j.state as job_state
  loop
    if settled.job_state = 'undoing' and new.state = 'rejected' then
      perform postpone_bulk_revert(settled.item_id, 'provider_rejected', coalesce(new.failure_message, 'The provider rejected it.'), new.settled_at);
    end if;
    if settled.job_state <> 'finished' then perform wake_bulk_job(settled.job_id, new.settled_at); end if;
  end loop;
  return null;
end $$;
