-- Adds a queue job at p_run_at.
-- Raises nothing: the next sweep finds the row anyway, so a missing or changing queue must not fail the caller's transaction.
create or replace function wake_worker(p_task text, p_payload json, p_run_at timestamptz, p_job_key text) returns void language plpgsql as $$
begin
  perform graphile_worker.add_job(p_task, p_payload, run_at => p_run_at, job_key => p_job_key, max_attempts => 5);
exception when others then
  return;
end $$;
