-- Returns how many jobs of the queue are due, and for how many seconds the oldest has been.
-- Raises nothing: before a worker has created the queue, which takes it several steps, there are none.
create or replace function queue_backlog(p_now timestamptz, out due int, out age double precision) language plpgsql stable as $$
begin
  select count(*)::int, coalesce(extract(epoch from p_now - min(j.run_at)), 0) into due, age
    from graphile_worker.jobs j where j.run_at <= p_now and j.locked_at is null and j.attempts < j.max_attempts;
exception when undefined_table or undefined_column or invalid_schema_name then
  due := 0;
  age := 0;
end $$;
