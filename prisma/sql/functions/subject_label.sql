-- What an operation is about, by its present names: `Mail Gateway on mx1.example.com`, product or bundle, and host name or
-- address. No row if it is about nothing. In a `from`, PostgreSQL expands it into the query.
-- Raises nothing.
create or replace function subject_label(p_reseller_id int, p_license_id int, p_bundle_instance_id int)
returns setof text language sql stable as $$
  select p.name || ' on ' || coalesce(nullif(l.hostname, ''), l.ip_address)
    from licenses l join products p on p.id = l.product_id
   where l.id = p_license_id and l.reseller_id = p_reseller_id
  union all
  select b.name || ' on ' || i.ip_address
    from bundle_instances i join bundles b on b.id = i.bundle_id
   where i.id = p_bundle_instance_id and i.reseller_id = p_reseller_id and p_license_id is null
$$;
