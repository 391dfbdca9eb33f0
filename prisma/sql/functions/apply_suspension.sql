-- Trigger: applies a reseller's suspension, or its end, to the rest of the database (docs/suspension.md). Stopping the
-- wallet waits for holds in flight, so only existing holds are charged after the suspension commits. It revokes sessions,
-- including one that is being opened: its insert waits for this row. Lifting the suspension wakes waiting jobs.
-- Raises nothing.
create or replace function apply_suspension() returns trigger language plpgsql as $$
begin
  update wallets w set suspended = new.suspended_at is not null where w.reseller_id = new.id;
  if new.suspended_at is not null then
    update sessions s set revoked_at = new.suspended_at
      from users u where u.id = s.user_id and u.reseller_id = new.id and s.revoked_at is null;
  else
    perform wake_bulk_job(j.id, now()) from bulk_jobs j where j.reseller_id = new.id and j.state <> 'finished';
    perform wake_worker('renew_reseller', json_build_object('resellerId', new.id), now(), 'renew_reseller:' || new.id);
  end if;
  return null;
end $$;
