-- Records the outcome of a running item, for the worker that has the lease token of its job. If the item has an
-- operation, the operation's state decides; the lock on its row waits for a concurrent settlement. A revert that was settled
-- as rejected meanwhile is postponed, as in `settle_bulk_item`.
--   p_state   used without an operation: succeeded, failed or skipped
-- Returns whether the item was running and its job is still the worker's.
-- Raises nothing.
create or replace function end_bulk_item(
  p_item_id int, p_token uuid, p_state bulk_item_state, p_code text, p_message text, p_operation_id uuid, p_now timestamptz
) returns boolean language plpgsql as $$
declare
  op operations;
  job bulk_jobs;
  is_recorded boolean;
begin
  select * into op from operations o where o.id = p_operation_id for share;
  select j.* into job from bulk_jobs j join bulk_job_items i on i.job_id = j.id where i.id = p_item_id for update of j;
  if job.lease_token is distinct from p_token then return false; end if;
  update bulk_job_items i set
      state = case when op.id is null then p_state else bulk_item_state_of(op.state, op.request_id like '%:undo') end,
      error_code = case when op.state = 'rejected' then 'provider_rejected' else p_code end,
      error_message = case when op.state = 'rejected' then coalesce(op.failure_message, p_message) else p_message end,
      operation_id = coalesce(op.id, i.operation_id),
      license_id = coalesce(i.license_id, op.license_id),
      charged_amount = i.charged_amount + case when op.state = 'succeeded' then op.price else 0 end,
      revert_until = case when job.state = 'undoing' and op.id is null and p_state = 'failed' then coalesce(i.revert_until, p_now)
                          else i.revert_until end,
      ended_at = p_now
   where i.id = p_item_id and i.state = 'running';
  is_recorded := found;
  if is_recorded and job.state = 'undoing' and op.state = 'rejected' then
    perform postpone_bulk_revert(p_item_id, 'provider_rejected', coalesce(op.failure_message, 'The provider rejected it.'), p_now);
  end if;
  return is_recorded;
end $$;
