-- Adds a queue job that runs a bulk job at p_run_at.
-- Raises nothing: see wake_worker.
create or replace function wake_bulk_job(p_job_id int, p_run_at timestamptz) returns void language sql as $$
  select wake_worker('run_bulk_job', json_build_object('jobId', p_job_id), p_run_at, 'run_bulk_job:' || p_job_id)
$$;
