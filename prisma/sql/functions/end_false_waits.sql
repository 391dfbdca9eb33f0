-- Makes due, as of p_now, what waits for a time further ahead than its longest delay. A clock that was ahead wrote that
-- time, and has been corrected since. Claimed and locked rows are left to the next call.
-- Returns how many waited.
-- Raises nothing: a missing or changing queue is skipped, as in wake_worker.
create or replace function end_false_waits(p_now timestamptz) returns int language plpgsql as $$
declare
  -- An outcome is asked for again after 30 seconds.
  longest_ask constant interval := '1 minute';
  -- A request counts as lost ten minutes after it was sent, so one sent in the future counts as sent now: by the
  -- database's clock, because a process that has slept would count those of others as lost.
  longest_skew constant interval := '1 minute';
  -- lib/domain/retry.ts: 24 hours, and a tenth of jitter.
  longest_delivery constant interval := '27 hours';
  -- lib/domain/mail/retry.ts: 4 hours.
  longest_mail constant interval := '5 hours';
  -- postpone_bulk_revert: an hour between tries, for a day.
  longest_revert constant interval := '2 hours';
  -- A provider's rate limit is for a minute.
  longest_pause constant interval := '5 minutes';
  -- Jobs are queued as due. After a failure the queue waits for up to e⁵ seconds.
  longest_job constant interval := '5 minutes';
  ended int;
  jobs int := 0;
begin
  with asked as (
    update operations
       set ask_at = case when ask_at > clock_timestamp() + longest_ask then null else ask_at end,
           sent_at = case when coalesce(sent_at, created_at) > clock_timestamp() then clock_timestamp() else sent_at end
     where id in (
      select o.id from operations o
       where o.settled_at is null and o.owner_id is null
         and (o.ask_at > clock_timestamp() + longest_ask or coalesce(o.sent_at, o.created_at) > clock_timestamp() + longest_skew)
         for update skip locked) returning 1
  ), delivered as (
    update webhook_deliveries set next_attempt_at = p_now where id in (
      select d.id from webhook_deliveries d
       where d.state = 'pending' and d.owner_id is null and d.next_attempt_at > p_now + longest_delivery
         for update skip locked) returning 1
  ), mailed as (
    update mails set next_attempt_at = p_now, send_until = least(send_until, p_now + interval '1 day') where id in (
      select m.id from mails m
       where m.state = 'pending' and m.owner_id is null and m.next_attempt_at > p_now + longest_mail
         for update skip locked) returning 1
  ), reverted as (
    update bulk_job_items set revert_at = p_now, revert_until = least(revert_until, p_now + interval '1 day') where id in (
      select i.id from bulk_jobs j join bulk_job_items i on i.job_id = j.id and i.reseller_id = j.reseller_id
       where j.state <> 'finished' and i.state = 'succeeded' and i.revert_at > p_now + longest_revert
         for update of i skip locked) returning 1
  ), paused as (
    update bulk_jobs set waits_until = p_now where id in (
      select j.id from bulk_jobs j
       where j.state <> 'finished' and j.owner_id is null and j.waits_until > p_now + longest_pause
         for update skip locked) returning 1
  )
  select (select count(*) from asked) + (select count(*) from delivered) + (select count(*) from mailed) + (select count(*) from reverted)
       + (select count(*) from paused) into ended;
  begin
    select count(*) into jobs from graphile_worker.reschedule_jobs(
      array(select j.id from graphile_worker.jobs j where j.run_at > p_now + longest_job), run_at => p_now);
  exception when others then
    null;
  end;
  return ended + jobs;
end $$;
