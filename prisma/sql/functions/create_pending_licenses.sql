-- Inserts the bundle instances and licenses of new holds, locked by their operations. A bundle's come first.
--   p_holds   as `hold_operations` describes them
-- Raises LD001 if a product has moved to another provider or code since the plan was made, 23P01 if a live license of the
-- product has the address, 23505 if a license of the reseller has the external id.
create or replace function create_pending_licenses(p_holds jsonb) returns void language plpgsql as $$
begin
  if p_holds @? '$[*].new_instance' then
    insert into bundle_instances (id, bundle_id, reseller_id, cycle_id, ip_address, issued_at, anchored_at, expires_at,
                                  auto_renew, agreed_renewal_price, open_operation_id)
    select o.bundle_instance_id, b.bundle_id, h.reseller_id, b.cycle_id, b.ip_address, b.issued_at, b.anchored_at, b.expires_at,
           coalesce(b.auto_renew, false), b.agreed_renewal_price, h.id
      from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, new_instance jsonb)
     cross join jsonb_to_record(h.new_instance) as b (
             bundle_id int, cycle_id int, ip_address text, issued_at timestamptz, anchored_at timestamptz, expires_at timestamptz,
             auto_renew boolean, agreed_renewal_price bigint)
      join operations o on o.id = h.id and o.reseller_id is not distinct from h.reseller_id
     where h.new_instance is not null;
  end if;

  -- Ids are drawn in the order of the list. The operation of a single license has drawn its id.
  insert into licenses (id, key, reseller_id, product_id, cycle_id, bundle_instance_id, ip_address, cores, notes,
                        external_id, auto_renew, agreed_renewal_price, issued_at, anchored_at, expires_at, open_operation_id)
  select case when l.number = 1 and o.license_id is not null then o.license_id else nextval('licenses_id_seq') end,
         l.key, o.reseller_id, l.product_id, l.cycle_id, o.bundle_instance_id, l.ip_address, l.cores, coalesce(l.notes, ''),
         l.external_id, coalesce(l.auto_renew, false), l.agreed_renewal_price, l.issued_at, l.anchored_at, l.expires_at, o.id
    from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, new_licenses jsonb)
    join operations o on o.id = h.id and o.reseller_id is not distinct from h.reseller_id
   cross join rows from (jsonb_to_recordset(h.new_licenses) as (
           key text, product_id int, cycle_id int, ip_address text, cores int, notes text, external_id text,
           auto_renew boolean, agreed_renewal_price bigint, issued_at timestamptz, anchored_at timestamptz,
           expires_at timestamptz)) with ordinality as l (
           key, product_id, cycle_id, ip_address, cores, notes, external_id, auto_renew, agreed_renewal_price, issued_at,
           anchored_at, expires_at, number);

  -- The foreign keys of these licenses keep their products as they are until the end of the transaction (has_kept_licenses).
  perform from jsonb_to_recordset(p_holds) as h (id uuid, reseller_id int, plan jsonb, new_licenses jsonb)
    cross join jsonb_array_elements(h.plan -> 'steps') s (step)
     join licenses l on l.key = s.step #>> '{request,reference}' and l.reseller_id is not distinct from h.reseller_id
     join products p on p.id = l.product_id
    where h.new_licenses is not null
      and (p.provider_sku <> s.step #>> '{request,product}' or p.provider <> h.plan ->> 'provider' and sandbox_of(h.reseller_id) = 0);
  if found then raise exception 'a product has moved' using errcode = 'LD001'; end if;
end $$;
