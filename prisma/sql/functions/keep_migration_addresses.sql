-- Trigger: reserves the source and the target address of a migration until its job finishes, because two migrations
-- that share an address would revert each other.
-- Raises 23505 if an unfinished migration of the reseller has one of the addresses.
create or replace function keep_migration_addresses() returns trigger language plpgsql as $$
begin
  if new.state = 'finished' then
    delete from migration_addresses where job_id = new.id;
  else
    insert into migration_addresses (reseller_id, ip_address, job_id)
    select new.reseller_id, a.ip_address, new.id
      from unnest(array[new.parameters ->> 'from', new.parameters ->> 'to']) a (ip_address) order by 1, 2;
  end if;
  return null;
end $$;
