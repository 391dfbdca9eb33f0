-- Adds a queue job that gives the reseller of a bulk job a turn at p_run_at, starting after that job. All bulk jobs of a
-- reseller share one queue job.
-- Raises nothing: see wake_worker.
create or replace function wake_bulk_job(p_job_id int, p_run_at timestamptz) returns void language sql as $$
  select wake_worker('run_bulk_jobs', json_build_object('resellerId', j.reseller_id, 'after', j.id), p_run_at,
                     'run_bulk_jobs:' || j.reseller_id)
    from bulk_jobs j where j.id = p_job_id
$$;
