-- Trigger: what suspending a reseller, or lifting that, means for the rest of the database (docs/suspension.md). Stopping
-- the wallet waits for every hold in flight, and every later one sees it: once the suspension is committed, nothing is
-- charged that was not held before. Sessions end for good, also one that is being opened: inserting it waits for this row.
-- Lifting wakes what has waited.
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
