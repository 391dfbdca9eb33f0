-- Writes one event about a license, with its license_facts.
-- Raises nothing.
create or replace function emit_license_event(p_license_id int, p_kind text, p_data jsonb, p_operation_id uuid, p_now timestamptz)
returns void language sql as $$
  insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, occurred_at)
  select gen_random_uuid(), l.reseller_id, p_kind,
         license_facts(l.id) || coalesce(p_data, '{}'), l.id, l.bundle_instance_id, p_operation_id, p_now
    from licenses l where l.id = p_license_id
$$;
