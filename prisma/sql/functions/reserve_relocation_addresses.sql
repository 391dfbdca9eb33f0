-- Trigger: reserves the source and the target address of a relocation until its job finishes, because two relocations
-- that share an address would revert each other.
-- Raises 23505 if an unfinished relocation of the reseller has one of the addresses.
create or replace function reserve_relocation_addresses() returns trigger language plpgsql as $$
begin
  if new.state = 'finished' then
    delete from relocation_addresses where job_id = new.id and reseller_id = new.reseller_id;
  else
    insert into relocation_addresses (reseller_id, ip_address, job_id)
    select new.reseller_id, a.ip_address, new.id
      from unnest(array[new.parameters ->> 'from', new.parameters ->> 'to']) a (ip_address) order by 1, 2;
  end if;
  return null;
end $$;
