-- Returns the server's timeline, which changes with a promoted standby and a point-in-time restore.
-- Raises object_not_in_prerequisite_state on a standby.
create or replace function current_timeline() returns int language sql as $$
  select ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
$$;
