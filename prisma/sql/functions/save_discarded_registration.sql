-- Trigger: copies a pending license when its rejected registration deletes it, in case the provider carries out the
-- registration after all. The copy is kept until the term would have ended.
-- Raises nothing.
create or replace function save_discarded_registration() returns trigger language plpgsql as $$
begin
  insert into discarded_registrations (license_key, reseller_id, operation_id, license, bundle_instance, ends_at)
  values (old.key, old.reseller_id, old.open_operation_id, to_jsonb(old),
          (select to_jsonb(b) from bundle_instances b where b.id = old.bundle_instance_id and b.reseller_id = old.reseller_id), old.expires_at);
  return old;
end $$;
