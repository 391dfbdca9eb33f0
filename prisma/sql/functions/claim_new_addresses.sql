-- Trigger: new licenses that are not terminated claim their addresses for their terms, in one statement, in the order of
-- their insertion (contract 3.3, `claim_license_address`).
-- Raises 23P01 (one_live_license_per_product_and_address) if another live license of the product has the address.
create or replace function claim_new_addresses() returns trigger language plpgsql as $$
begin
  insert into address_claims (sandbox_id, reseller_id, license_id, product_id, ip_address, valid_from, valid_until)
  select sandbox_of(n.reseller_id), n.reseller_id, n.id, n.product_id, n.ip_address, least(n.anchored_at, n.expires_at), n.expires_at
    from new_licenses n where n.terminated_at is null;
  return null;
end $$;
