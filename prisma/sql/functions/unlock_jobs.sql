-- Frees the queue's jobs that these workers have locked, and makes the others look for them now. A job is only a
-- wake-up, so a missing or changing queue does not fail the caller's transaction.
-- Raises nothing.
create or replace function unlock_jobs(p_workers text[]) returns void language plpgsql as $$
begin
  perform graphile_worker.force_unlock_workers(p_workers);
  perform pg_notify('jobs:insert', '{"count":1}');
exception when others then
  return;
end $$;
