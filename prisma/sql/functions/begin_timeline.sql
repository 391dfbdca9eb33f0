-- Call it on each new contact with the database. After a failover or a restore, customers and providers may know rows
-- that this database has lost. The first call skips the ids that such rows may have, and queues a comparison with the
-- providers.
-- Returns the timeline, and whether this was the first call in it.
-- Raises object_not_in_prerequisite_state on a standby.
create or replace function begin_timeline(out timeline int, out began boolean) language plpgsql as $$
declare
  skipped constant bigint := 10000;
begin
  timeline := current_timeline();
  update deployment d set timeline = begin_timeline.timeline where d.timeline <> begin_timeline.timeline;
  began := found;
  if not began then return; end if;
  perform setval(format('%I.%I', s.schemaname, s.sequencename)::regclass, s.last_value + skipped)
     from pg_sequences s where s.schemaname = current_schema() and s.last_value is not null;
  perform wake_worker('detect_drift', '{}', clock_timestamp(), 'compare_after_failover');
end $$;
