-- Declares dead every process whose lease has lapsed, and frees what it owned for others to claim; also what names an
-- owner that is not there. This is the only way in which a process loses what it has claimed. A process that renews its
-- lease at the same moment either comes first and lives, or waits for this transaction. Rows that somebody has locked
-- are freed by the next call.
-- Only a process whose contact to the database was not interrupted for longer than a lease may call this: after an
-- outage that all have seen, every live process renews its lease first.
-- Returns how many processes were declared dead.
-- Raises nothing.
create or replace function release_dead_processes() returns int language plpgsql as $$
declare
  dead uuid[];
  workers text[];
  job_id int;
begin
  -- One at a time is enough.
  if not pg_try_advisory_xact_lock(hashtext('release_dead_processes')) then return 0; end if;
  with lapsed as (
    select p.id, p.job_workers from processes p where p.lease_until <= clock_timestamp() for update skip locked
  )
  select coalesce(array_agg(l.id), '{}'),
         coalesce((select array_agg(w) from lapsed, unnest(lapsed.job_workers) w), '{}')
    into dead, workers from lapsed l;
  delete from processes p where p.id = any (dead);

  update operations set owner_id = null where id in (
    select o.id from operations o
     where o.state in ('held', 'sent', 'unknown') and o.owner_id is not null
       and not exists (select from processes p where p.id = o.owner_id) for update skip locked);
  update webhook_deliveries set owner_id = null where id in (
    select d.id from webhook_deliveries d
     where d.owner_id is not null and not exists (select from processes p where p.id = d.owner_id) for update skip locked);
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
