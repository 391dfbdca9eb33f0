-- The server's timeline: it changes when a standby is promoted, and when an archive is restored up to some moment.
-- Raises object_not_in_prerequisite_state on a standby.
create or replace function current_timeline() returns int language sql as $$
  select ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int
$$;
