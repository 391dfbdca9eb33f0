-- Unlocks the queue's jobs of these workers, and notifies the others.
-- Raises nothing: see wake_worker.
create or replace function unlock_jobs(p_workers text[]) returns void language plpgsql as $$
begin
  perform graphile_worker.force_unlock_workers(p_workers);
  perform pg_notify('jobs:insert', '{"count":1}');
exception when others then
  return;
end $$;
