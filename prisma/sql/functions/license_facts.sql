-- Returns the fields that every license event has (contract 4.1): license_id, type and server. Empty without the license.
-- Raises nothing.
create or replace function license_facts(p_license_id int) returns jsonb language sql stable as $$
  select coalesce((
    select jsonb_build_object('license_id', 'lic_' || l.id, 'type', p.slug,
                              'server', coalesce(nullif(l.hostname, ''), l.ip_address))
      from licenses l join products p on p.id = l.product_id where l.id = p_license_id), '{}')
$$;
