-- Trigger: keeps a copy of a pending license when its rejected registration deletes it, in case the provider carries
-- the registration out after all. The copy ends with the term, after which the provider no longer holds the license
-- either.
-- Raises nothing.
create or replace function keep_discarded_registration() returns trigger language plpgsql as $$
begin
  insert into discarded_registrations (license_key, operation_id, license, bundle_instance, ends_at)
  values (old.key, old.open_operation_id, to_jsonb(old),
          (select to_jsonb(b) from bundle_instances b where b.id = old.bundle_instance_id), old.expires_at);
  return old;
end $$;
