-- A claim begins when the license comes to its address, not at the term's anchor before that: what has expired there by
-- then was live at another time, and is in nobody's way (decisions 3.3).
create or replace function claim_license_address() returns trigger language plpgsql as $$
begin
  delete from address_claims c where c.license_id = new.id and c.operation_id is null;
  if new.terminated_at is null then
    insert into address_claims (license_id, product_id, ip_address, valid_from, valid_until)
    values (new.id, new.product_id, new.ip_address,
            least(case when tg_op = 'INSERT' then new.anchored_at else greatest(new.anchored_at, new.updated_at) end, new.expires_at),
            new.expires_at);
  end if;
  return null;
end $$;
