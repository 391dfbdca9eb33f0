-- Adds a queue job that makes a worker look at something at p_run_at. The row it names is the truth and the next sweep
-- finds it, so a missing or changing queue does not fail the caller's transaction.
-- Raises nothing.
create or replace function wake_worker(p_task text, p_payload json, p_run_at timestamptz, p_job_key text) returns void language plpgsql as $$
begin
  perform graphile_worker.add_job(p_task, p_payload, run_at => p_run_at, job_key => p_job_key, max_attempts => 5);
exception when others then
  return;
end $$;
