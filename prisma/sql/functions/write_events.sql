-- Writes events from drafts {id, kind, licenseKey?, data, onceKey?}. License events get license_id, type and server
-- (contract 4.1); bundle events get bundle_instance_id. Skips a draft whose onceKey is already written. The lateral join
-- looks up each license by its key, so the plan does not depend on row estimates.
-- Raises nothing.
create or replace function write_events(p_drafts jsonb, p_operation operations, p_now timestamptz) returns void language sql as $$
  insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, once_key, occurred_at)
  select (d.value ->> 'id')::uuid, p_operation.reseller_id, d.value ->> 'kind',
         case when l.id is null then jsonb_build_object('bundle_instance_id', p_operation.bundle_instance_id)
              else jsonb_build_object('license_id', 'lic_' || l.id, 'type', l.slug,
                                      'server', coalesce(nullif(l.hostname, ''), l.ip_address)) end
           || coalesce(d.value -> 'data', '{}'::jsonb),
         l.id, coalesce(l.bundle_instance_id, p_operation.bundle_instance_id), p_operation.id, d.value ->> 'onceKey', p_now
    from jsonb_array_elements(p_drafts) with ordinality d
    left join lateral (
      select l.id, l.hostname, l.ip_address, l.bundle_instance_id, p.slug
        from licenses l join products p on p.id = l.product_id
       where l.key = d.value ->> 'licenseKey' and l.reseller_id = p_operation.reseller_id limit 1) l on true
   order by d.ordinality
  on conflict (once_key) do nothing
$$;
