-- Starts the next item of a bulk job for the worker that has the lease token. An item left running by a dead worker
-- comes first. An all-or-nothing job waits for an unknown outcome before it continues; it starts undoing when an item failed
-- or the job was canceled. A revert that is postponed, or whose outcome is unknown, waits while others continue.
-- While its reseller is suspended, or until the job has waited for the provider (`waits_until`), no item starts, but undoing
-- continues because it costs nothing. Nor does one that was requeued while the job was canceled.
-- Returns no row if there is nothing to do now or the lease belongs to another worker.
--   undoing   whether the item must be reverted
-- Raises nothing.
create or replace function begin_bulk_item(p_job_id int, p_token uuid, p_all_or_nothing boolean, p_now timestamptz)
returns table (item bulk_job_items, undoing boolean) language plpgsql as $$
declare
  job bulk_jobs;
  next_id int;
begin
  select j.* into job from bulk_jobs j where j.id = p_job_id and j.lease_token = p_token for update;
  if not found then return; end if;
  select i.id into next_id from bulk_job_items i where i.job_id = job.id and i.state = 'running' order by i.position limit 1;
  if job.canceled_at is not null then
    update bulk_job_items i set state = 'skipped', error_code = 'canceled', error_message = 'Canceled before it began.', ended_at = p_now
     where i.job_id = job.id and i.state = 'queued';
  end if;
  if next_id is null and p_all_or_nothing and job.state = 'running' then
    if exists (select from bulk_job_items i where i.job_id = job.id and i.state = 'pending' and bulk_item_is_awaited(i)) then return; end if;
    if job.canceled_at is not null or exists (select from bulk_job_items i where i.job_id = job.id and i.state = 'failed') then
      update bulk_jobs j set state = 'undoing' where j.id = job.id returning * into job;
      update bulk_job_items i set state = 'skipped', error_code = 'not_started', error_message = 'Not started because another item failed.', ended_at = p_now
       where i.job_id = job.id and i.state = 'queued';
    end if;
  end if;
  if next_id is null and job.state = 'undoing' then
    select i.id into next_id from bulk_job_items i
     where i.job_id = job.id and i.state = 'succeeded' and (i.revert_at is null or i.revert_at <= p_now) order by i.position desc limit 1;
  elsif next_id is null and coalesce(job.waits_until, p_now) <= p_now and not exists (select from resellers r where r.id = job.reseller_id and r.suspended_at is not null) then
    select i.id into next_id from bulk_job_items i where i.job_id = job.id and i.state = 'queued' order by i.position limit 1;
  end if;
  if next_id is not null then
    update bulk_jobs j set waits_until = null where j.id = job.id and j.waits_until is not null;
  end if;
  return query update bulk_job_items i set state = 'running' where i.id = next_id
    returning i, job.state = 'undoing';
end $$;
