-- Locks what the holds of `hold_operations` share with others: API keys, whose spending limit then stays as it is, addresses
-- and external ids, then bundles, then licenses.
-- Raises nothing.
create or replace function lock_holds(p_holds jsonb) returns void language plpgsql as $$
begin
  -- First, because `set_spending_limit` locks operations after its keys.
  if p_holds @? '$[*] ? (@.actor starts with "key:")' then
    perform from api_keys k
      where k.id in (select substring(h.actor from '^key:([0-9]+)$')::int from jsonb_to_recordset(p_holds) as h (actor text))
      order by k.id for key share;
  end if;
  -- Serializes operations on an address or external id. With the constraints alone, two of them could deadlock, and that
  -- error does not name what they share.
  if p_holds @? '$[*] ? (exists (@.new_licenses) || exists (@.claims))' then
    perform pg_advisory_xact_lock(shared.space, shared.name)
       from (select distinct named.space, named.name
               from jsonb_to_recordset(p_holds) as h (reseller_id int, new_licenses jsonb, claims jsonb)
              cross join jsonb_to_recordset(coalesce(h.new_licenses, '[]') || coalesce(h.claims, '[]')) as l (
                      license_id int, product_id int, ip_address text, external_id text)
              cross join lateral (values
                      (coalesce(l.product_id, (select o.product_id from licenses o
                                                where o.id = l.license_id and o.reseller_id is not distinct from h.reseller_id)),
                       hashtext(l.ip_address)),
                      (h.reseller_id, hashtext('external_id ' || l.external_id))) named (space, name)
              where named.name is not null
              order by 1, 2) shared;
  end if;
  if p_holds @? '$[*] ? (@.bundle_instance_id != null)' then
    perform from jsonb_to_recordset(p_holds) as h (reseller_id int, bundle_instance_id int)
       join bundle_instances b on b.id = h.bundle_instance_id and b.reseller_id is not distinct from h.reseller_id
      order by b.id for no key update of b;
  end if;
  if p_holds @? '$[*].lock_licenses' then
    perform from jsonb_to_recordset(p_holds) as h (reseller_id int, lock_licenses jsonb)
      cross join jsonb_to_recordset(h.lock_licenses) as seen (id int)
       join licenses l on l.id = seen.id and l.reseller_id is not distinct from h.reseller_id
      order by l.id for no key update of l;
  end if;
end $$;
