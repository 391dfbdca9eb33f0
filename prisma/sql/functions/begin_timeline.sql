-- Call it on each new contact with the database. After a failover or a restore, customers and providers may know rows
-- that this database has lost. The first call skips the ids that such rows may have, also of tables that were empty,
-- and makes the comparison with the providers due. Near its end, a sequence skips half of the ids that it has left.
-- Returns the timeline, and whether this was the first call in it.
-- Raises object_not_in_prerequisite_state on a standby.
create or replace function begin_timeline(out timeline int, out began boolean) language plpgsql as $$
declare
  skipped constant bigint := 1000000;
begin
  timeline := current_timeline();
  update deployment d set timeline = begin_timeline.timeline where d.timeline <> begin_timeline.timeline;
  began := found;
  if not began then return; end if;
  perform setval(format('%I.%I', s.schemaname, s.sequencename)::regclass,
                 u.value + least(skipped, (s.max_value - u.value) / 2))
     from pg_sequences s, lateral (select coalesce(s.last_value, 0)) u (value)
    where s.schemaname = current_schema();
  insert into job_runs (name, next_at) values ('detect_drift', clock_timestamp())
  on conflict (name) do update set next_at = excluded.next_at;
end $$;
