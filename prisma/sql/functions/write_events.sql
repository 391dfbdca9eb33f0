-- Writes the events of settled operations. Their drafts are {id, kind, licenseKey?, data?, onceKey?}. License events get
-- license_id, type and server (contract 4.1); bundle events get bundle_instance_id. Skips a draft whose onceKey is already
-- written. An outcome learned later is reported by a further event.
--   p_settled   as `lock_settlements` returns them
-- Raises nothing.
create or replace function write_events(p_settled jsonb) returns void language plpgsql as $$
begin
  insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, once_key, occurred_at)
  select (d.draft ->> 'id')::uuid, s.reseller_id, d.draft ->> 'kind',
         case when l.id is null then jsonb_build_object('bundle_instance_id', s.bundle_instance_id)
              else jsonb_build_object('license_id', 'lic_' || l.id, 'type', p.slug,
                                      'server', coalesce(nullif(l.hostname, ''), l.ip_address)) end
           || coalesce(d.draft -> 'data', '{}'::jsonb),
         l.id, coalesce(l.bundle_instance_id, s.bundle_instance_id), s.id, d.draft ->> 'onceKey', s.now
    from jsonb_to_recordset(p_settled) as s (place int, id uuid, reseller_id int, bundle_instance_id int, now timestamptz, effects jsonb)
   cross join jsonb_array_elements(s.effects -> 'events') with ordinality d (draft, number)
    left join licenses l on l.key = d.draft ->> 'licenseKey' and l.reseller_id is not distinct from s.reseller_id
    left join products p on p.id = l.product_id
   order by s.place, d.number
  on conflict (once_key) where once_key is not null do nothing;

  if jsonb_path_exists(p_settled, '$[*] ? (@.reconciled == true)') then
    insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, occurred_at)
    select gen_random_uuid(), s.reseller_id, 'operation.settled',
           license_facts(s.license_id)
             || case when s.bundle_instance_id is null then '{}' else jsonb_build_object('bundle_instance_id', s.bundle_instance_id) end
             || jsonb_build_object('operation_id', s.id, 'operation', regexp_replace(s.kind, '_', '.'),
                                   'outcome', case when s.succeeded then 'succeeded' else 'rejected' end),
           s.license_id, s.bundle_instance_id, s.id, s.now
      from jsonb_to_recordset(p_settled) as s (place int, id uuid, reseller_id int, license_id int, bundle_instance_id int, kind text,
                                               succeeded boolean, reconciled boolean, now timestamptz)
     where s.reconciled
     order by s.place;
  end if;
end $$;
