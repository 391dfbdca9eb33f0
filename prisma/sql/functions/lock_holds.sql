-- Locks what the holds of `hold_operations` share with others: addresses and external ids, then bundles, then licenses.
-- Raises nothing.
create or replace function lock_holds(p_holds jsonb) returns void language plpgsql as $$
begin
  -- Serializes operations on an address or external id. With the constraints alone, two of them could deadlock, and that
  -- error does not name what they share.
  perform pg_advisory_xact_lock(shared.space, shared.name)
     from (select l.product_id as space, hashtext(l.ip_address) as name
             from jsonb_to_recordset(p_holds) as h (new_licenses jsonb),
                  jsonb_to_recordset(h.new_licenses) as l (product_id int, ip_address text)
            union
           select h.reseller_id, hashtext('external_id ' || l.external_id)
             from jsonb_to_recordset(p_holds) as h (reseller_id int, new_licenses jsonb),
                  jsonb_to_recordset(h.new_licenses) as l (external_id text) where l.external_id is not null
            union
           select (select l.product_id from licenses l where l.id = c.license_id and l.reseller_id is not distinct from h.reseller_id), hashtext(c.ip_address)
             from jsonb_to_recordset(p_holds) as h (reseller_id int, claims jsonb),
                  jsonb_to_recordset(h.claims) as c (license_id int, ip_address text)
            order by 1, 2) shared;
  perform from jsonb_to_recordset(p_holds) as h (reseller_id int, lock_instance_id int)
     join bundle_instances b on b.id = h.lock_instance_id and b.reseller_id is not distinct from h.reseller_id
    order by b.id for no key update of b;
  perform from jsonb_to_recordset(p_holds) as h (reseller_id int, lock_licenses jsonb)
    cross join jsonb_to_recordset(h.lock_licenses) as seen (id int)
     join licenses l on l.id = seen.id and l.reseller_id is not distinct from h.reseller_id
    order by l.id for no key update of l;
end $$;
