-- Places the holds of concurrent requests in one transaction: one commit for all of them, and each is admitted or refused
-- on its own, those of a wallet in the order of the list. Locks addresses and external ids first, then rows, then wallets,
-- each in one order, so that two lists never wait for each other.
--   p_holds   [{resellerId, operation, newLicenses?, newInstance?, lockLicenses?, lockInstance?, claims?, key?, keyToken?}],
--             with the arguments of `hold_operation`
-- Returns a row for each hold. `place` counts from 1; `refusal` is the SQLSTATE of a refused one, which changes nothing.
-- Raises any other failure of `hold_operation`: nothing is held then.
create or replace function hold_operations(p_holds jsonb) returns table (
  place int, license_ids int[], bundle_instance_id int, spendable bigint, refusal text, message text, detail text, violated text
) language plpgsql as $$
declare
  hold record;
  held record;
  wanted record;
begin
  -- Serializes operations on an address or external id. With the constraints alone, two of them could deadlock, and that
  -- error does not name what they share.
  perform pg_advisory_xact_lock(shared.space, shared.name)
     from (select (l ->> 'product_id')::int as space, hashtext(l ->> 'ip_address') as name
             from jsonb_array_elements(p_holds) h, jsonb_array_elements(h -> 'newLicenses') l
            union
           select (select l.product_id from licenses l where l.id = (c ->> 'license_id')::int and l.reseller_id = (h ->> 'resellerId')::int),
                  hashtext(c ->> 'ip_address')
             from jsonb_array_elements(p_holds) h, jsonb_array_elements(h -> 'claims') c
            union
           select (h ->> 'resellerId')::int, hashtext('external_id ' || (l ->> 'external_id'))
             from jsonb_array_elements(p_holds) h, jsonb_array_elements(h -> 'newLicenses') l where l ? 'external_id'
            order by 1, 2) shared;

  -- One look-up per row: a join with a list of unknown length would scan the table.
  for wanted in
    select distinct (h ->> 'lockInstance')::int as id, (h ->> 'resellerId')::int as reseller_id
      from jsonb_array_elements(p_holds) h where h ? 'lockInstance' order by 1
  loop
    perform from bundle_instances b where b.id = wanted.id and b.reseller_id = wanted.reseller_id for no key update;
  end loop;
  for wanted in
    select distinct (l ->> 'id')::int as id, (h ->> 'resellerId')::int as reseller_id
      from jsonb_array_elements(p_holds) h, jsonb_array_elements(h -> 'lockLicenses') l order by 1
  loop
    perform from licenses l where l.id = wanted.id and l.reseller_id = wanted.reseller_id for no key update;
  end loop;

  for hold in
    select h.value, h.ordinality, (h.value ->> 'resellerId')::int as reseller_id
      from jsonb_array_elements(p_holds) with ordinality h order by reseller_id, h.ordinality
  loop
    place := hold.ordinality;
    license_ids := null; bundle_instance_id := null; spendable := null;
    refusal := null; message := null; detail := null; violated := null;
    begin
      select * into held
        from hold_operation(hold.reseller_id, hold.value -> 'operation', hold.value -> 'newLicenses', hold.value -> 'newInstance',
                            hold.value -> 'lockLicenses', (hold.value ->> 'lockInstance')::int, hold.value -> 'claims',
                            hold.value ->> 'key', (hold.value ->> 'keyToken')::uuid);
      license_ids := held.license_ids; bundle_instance_id := held.bundle_instance_id; spendable := held.spendable;
    exception when sqlstate 'LD001' or sqlstate 'LD002' or sqlstate 'LD007' or sqlstate 'LD010' or sqlstate 'LD012'
                or exclusion_violation or unique_violation then
      get stacked diagnostics refusal = returned_sqlstate, message = message_text, detail = pg_exception_detail, violated = constraint_name;
    end;
    return next;
  end loop;
end $$;
