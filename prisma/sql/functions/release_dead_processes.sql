-- Declares dead every process whose lease has lapsed, and releases its rows, and rows of missing owners, for others to
-- claim. A process loses its claims in no other way. A lease far ahead was written by a clock that has been set back since:
-- a live process has renewed it. A concurrent lease renewal either comes first or waits for this transaction. Locked rows
-- are left to the next call.
-- Call it only after uninterrupted contact with the database for longer than a lease, so that after an outage every live
-- process can renew its lease first.
-- Returns the number of processes declared dead.
-- Raises nothing.
create or replace function release_dead_processes() returns int language plpgsql as $$
declare
  dead uuid[];
  workers text[];
  job_id int;
begin
  if not pg_try_advisory_xact_lock(hashtext('release_dead_processes')) then return 0; end if;
  with lapsed as (
    select p.id, p.job_workers from processes p
     where p.lease_until <= clock_timestamp() or p.lease_until > clock_timestamp() + interval '10 minutes'
       for update skip locked
  )
  select coalesce(array_agg(l.id), '{}'),
         coalesce((select array_agg(w) from lapsed, unnest(lapsed.job_workers) w), '{}')
    into dead, workers from lapsed l;
  delete from processes p where p.id = any (dead);

  update operations set owner_id = null where id in (
    select o.id from operations o
     where o.settled_at is null and o.owner_id is not null
       and not exists (select from processes p where p.id = o.owner_id) for update skip locked);
  update webhook_deliveries set owner_id = null where id in (
    select d.id from webhook_deliveries d
     where d.owner_id is not null and not exists (select from processes p where p.id = d.owner_id) for update skip locked);
  update mails set owner_id = null where id in (
    select m.id from mails m
     where m.owner_id is not null and not exists (select from processes p where p.id = m.owner_id) for update skip locked);
  update provider_comparisons set owner_id = null where id in (
    select c.id from provider_comparisons c
     where c.finished_at is null and c.owner_id is not null
       and not exists (select from processes p where p.id = c.owner_id) for update skip locked);
  for job_id in
    update bulk_jobs set owner_id = null where id in (
      select j.id from bulk_jobs j
       where j.state <> 'finished' and j.owner_id is not null
         and not exists (select from processes p where p.id = j.owner_id) for update skip locked) returning id
  loop
    perform wake_bulk_job(job_id, clock_timestamp());
  end loop;

  if workers <> '{}' then perform unlock_jobs(workers); end if;
  return cardinality(dead);
end $$;
