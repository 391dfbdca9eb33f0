-- Trigger: ends a pending item with its operation, and wakes the job. A rejected revert is postponed: the provider may never
-- have received it. If the provider rejects the next try, too, the item fails. So does a change that succeeded after a user
-- stopped waiting for it, because the job would have reverted it.
-- Raises nothing.
create or replace function settle_bulk_item() returns trigger language plpgsql as $$
declare
  is_undo constant boolean := new.request_id like '%:undo';
  settled record;
begin
  for settled in
    update bulk_job_items i set
        state = bulk_item_state_of(new.state, is_undo),
        error_code = case when new.state = 'rejected' then 'provider_rejected' end,
        error_message = case when new.state = 'rejected' then new.failure_message end,
        charged_amount = i.charged_amount + case when new.state = 'succeeded' then new.price else 0 end,
        revert_until = case when is_undo or new.state = 'succeeded' then i.revert_until end,
        ended_at = new.settled_at
      from bulk_jobs j
     where i.operation_id = new.id and i.reseller_id = new.reseller_id and i.state = 'pending' and j.id = i.job_id and j.reseller_id = i.reseller_id
    returning i.id as item_id, j.id as job_id, j.state as job_state, i.revert_until is not null as is_stopped
  loop
    if is_undo and new.state = 'rejected' then
      perform postpone_bulk_revert(settled.item_id, 'provider_rejected', coalesce(new.failure_message, 'The provider rejected it.'), new.settled_at);
    elsif not is_undo and settled.is_stopped and new.state = 'succeeded' then
      update bulk_job_items i set state = 'failed', error_code = 'stopped', error_message = 'Not reverted: a user stopped waiting for its outcome.'
       where i.id = settled.item_id and i.reseller_id = new.reseller_id;
    end if;
    if settled.job_state <> 'finished' then perform wake_bulk_job(settled.job_id, new.settled_at); end if;
  end loop;
  return null;
end $$;
