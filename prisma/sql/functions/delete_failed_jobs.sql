-- Deletes up to p_limit of the queue's jobs that have used up their attempts, the last of them before p_before, oldest first.
-- One that is added again meanwhile stays. Returns their number.
-- Raises nothing: before a worker has created the queue, which takes it several steps, there are none.
create or replace function delete_failed_jobs(p_before timestamptz, p_limit int) returns int language plpgsql as $$
declare
  deleted int;
begin
  with failed as materialized (
    select f.id from graphile_worker._private_jobs f
     where f.attempts >= f.max_attempts and f.locked_at is null and f.run_at < p_before
     order by f.run_at limit p_limit for update skip locked
  )
  delete from graphile_worker._private_jobs j using failed
   where j.id = failed.id;
  get diagnostics deleted = row_count;
  return deleted;
exception when undefined_table or undefined_column or invalid_schema_name then
  return 0;
end $$;
