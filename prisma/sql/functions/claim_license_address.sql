-- Trigger: a license that is not terminated claims its address for its term (contract 3.3). This replaces its claim after
-- an update; `claim_new_addresses` claims for new licenses. The claim starts when the license arrives at the address, not
-- at the term's earlier anchor: a license that expired there before does not conflict. A license renewed after expiry is
-- anchored again, so the gap between its terms stays unclaimed.
-- Licenses of a sandbox compete only with each other.
-- Raises 23P01 (one_live_license_per_product_and_address) if another live license of the product has the address.
create or replace function claim_license_address() returns trigger language plpgsql as $$
begin
  delete from address_claims c where c.license_id = new.id and c.reseller_id = new.reseller_id and c.operation_id is null;
  if new.terminated_at is null then
    insert into address_claims (sandbox_id, reseller_id, license_id, product_id, ip_address, valid_from, valid_until)
    values (sandbox_of(new.reseller_id), new.reseller_id, new.id, new.product_id, new.ip_address,
            least(greatest(new.anchored_at, new.updated_at), new.expires_at), new.expires_at);
  end if;
  return null;
end $$;
