-- Settles operations in one transaction, each exactly once. Locks operations, then bundles, then licenses, then wallets,
-- each in one order, as `hold_operations` does.
--   p_settlements   [{resellerId, id, token, succeeded, failureMessage?, references, reconciled, now}], with the arguments
--                   of `settle_operation`
-- Returns the operations that it settled.
-- Raises any failure of `settle_operation`: nothing is settled then.
create or replace function settle_operations(p_settlements jsonb) returns setof operations language plpgsql as $$
declare
  settlement record;
  bundles int[] := '{}';
  members int[] := '{}';
  wanted int;
begin
  for settlement in
    select (s ->> 'id')::uuid as id, (s ->> 'resellerId')::int as reseller_id, (s ->> 'token')::uuid as token
      from jsonb_array_elements(p_settlements) s order by 1
  loop
    perform from operations o where o.id = settlement.id and o.reseller_id = settlement.reseller_id
       and o.lease_token = settlement.token for no key update;
    bundles := bundles || array(select b.id from bundle_instances b where b.open_operation_id = settlement.id);
    members := members || array(select l.id from licenses l where l.open_operation_id = settlement.id);
  end loop;
  for wanted in select unnest(bundles) order by 1 loop
    perform from bundle_instances b where b.id = wanted for no key update;
  end loop;
  for wanted in select unnest(members) order by 1 loop
    perform from licenses l where l.id = wanted for no key update;
  end loop;

  for settlement in
    select s.value, (s.value ->> 'resellerId')::int as reseller_id
      from jsonb_array_elements(p_settlements) with ordinality s order by reseller_id, s.ordinality
  loop
    if settle_operation(settlement.reseller_id, (settlement.value ->> 'id')::uuid, (settlement.value ->> 'token')::uuid,
                        (settlement.value ->> 'succeeded')::boolean, settlement.value ->> 'failureMessage',
                        settlement.value -> 'references', (settlement.value ->> 'reconciled')::boolean,
                        (settlement.value ->> 'now')::timestamptz) then
      return query select o.* from operations o where o.id = (settlement.value ->> 'id')::uuid and o.reseller_id = settlement.reseller_id;
    end if;
  end loop;
end $$;
