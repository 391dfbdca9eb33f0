-- As before, and a new license may renew by itself from the start.

-- Reserves the money and the licenses of an operation, or raises and leaves nothing.
--   p_operation         the row to insert (lease_until, plan, price, …), state `held`
--   p_new_licenses      rows to insert, in order; pending until settled
--   p_new_instance      a bundle instance to insert first, or null
--   p_lock_licenses     licenses that the operation changes, as they were read: [{id, version}]; none may have another
--                       operation in flight, nor have changed since
--   p_lock_instance     the bundle instance that it changes, or null
--   p_claims            addresses to reserve until it has ended: [{license_id, ip_address, valid_from, valid_until}]
-- LD001 something it changes has an operation in flight, or changed or ended meanwhile   LD002 too little to spend
-- 23P01 a live license of the product has the address
create or replace function hold_operation(
  p_operation jsonb,
  p_new_licenses jsonb,
  p_new_instance jsonb,
  p_lock_licenses jsonb,
  p_lock_instance int,
  p_claims jsonb,
  p_idempotency_key text,
  out license_ids int[],
  out bundle_instance_id int,
  out spendable bigint
) language plpgsql as $$
declare
  op operations := jsonb_populate_record(null::operations, p_operation);
  locked int;
begin
  -- Those that reach for one address come one after the other. The constraint alone would let two of them insert their
  -- claims and then wait for one another: a deadlock, and an error that says nothing of the address.
  perform pg_advisory_xact_lock(wanted.product_id, hashtext(wanted.ip_address))
     from (select n.product_id, n.ip_address from jsonb_populate_recordset(null::licenses, p_new_licenses) n
            union
           select l.product_id, c.ip_address
             from jsonb_populate_recordset(null::address_claims, p_claims) c join licenses l on l.id = c.license_id
            order by 1, 2) wanted;

  -- What costs nothing need not know the reseller's currency.
  op.currency := coalesce(op.currency, (select w.currency from wallets w where w.reseller_id = op.reseller_id));
  insert into operations (id, kind, state, reseller_id, license_id, bundle_instance_id, hold_amount, price, currency,
                          plan, actor, request_id, lease_until, created_at)
  values (op.id, op.kind, 'held', op.reseller_id, op.license_id, op.bundle_instance_id, op.hold_amount, op.price,
          op.currency, op.plan, op.actor, op.request_id, op.lease_until, op.created_at);

  bundle_instance_id := op.bundle_instance_id;
  if p_new_instance is not null then
    insert into bundle_instances (bundle_id, reseller_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, open_operation_id)
    select b.bundle_id, op.reseller_id, b.cycle_id, b.ip_address, b.issued_at, b.anchored_at, b.expires_at, op.id
      from jsonb_populate_record(null::bundle_instances, p_new_instance) b
    returning id into bundle_instance_id;
  end if;

  if p_new_licenses is not null then
    with inserted as (
      insert into licenses (key, reseller_id, product_id, cycle_id, bundle_instance_id, ip_address, cores, notes,
                            auto_renew, issued_at, anchored_at, expires_at, open_operation_id)
      select l.key, op.reseller_id, l.product_id, l.cycle_id, hold_operation.bundle_instance_id, l.ip_address, l.cores,
             coalesce(l.notes, ''), coalesce(l.auto_renew, false), l.issued_at, l.anchored_at, l.expires_at, op.id
        from jsonb_populate_recordset(null::licenses, p_new_licenses) with ordinality as l
       order by l.product_id
      returning id, key
    )
    select array_agg(i.id order by n.ordinality) into license_ids
      from jsonb_array_elements(p_new_licenses) with ordinality n join inserted i on i.key = n.value ->> 'key';
    update operations o set license_id = case when p_new_instance is null then license_ids[1] end,
                            bundle_instance_id = hold_operation.bundle_instance_id
     where o.id = op.id;
  end if;

  if p_lock_instance is not null then
    update bundle_instances b set open_operation_id = op.id
     where b.id = p_lock_instance and b.reseller_id = op.reseller_id and b.open_operation_id is null and b.terminated_at is null;
    if not found then raise exception 'bundle instance % is busy', p_lock_instance using errcode = 'LD001'; end if;
  end if;

  if p_lock_licenses is not null then
    with mine as (
      select l.id from licenses l join jsonb_to_recordset(p_lock_licenses) as seen(id int, version text) on seen.id = l.id
       where l.reseller_id = op.reseller_id and l.open_operation_id is null and l.terminated_at is null
         and l.xmin::text = seen.version
       order by l.id for update of l
    )
    update licenses l set open_operation_id = op.id from mine where l.id = mine.id;
    get diagnostics locked = row_count;
    if locked <> jsonb_array_length(p_lock_licenses) then raise exception 'a license is busy' using errcode = 'LD001'; end if;
    select array_agg((seen.value ->> 'id')::int order by seen.ordinality) into license_ids
      from jsonb_array_elements(p_lock_licenses) with ordinality seen;
  end if;

  if p_claims is not null then
    insert into address_claims (license_id, product_id, ip_address, valid_from, valid_until, operation_id)
    select c.license_id, l.product_id, c.ip_address, c.valid_from, c.valid_until, op.id
      from jsonb_populate_recordset(null::address_claims, p_claims) c join licenses l on l.id = c.license_id
     order by l.product_id;
  end if;

  if p_idempotency_key is not null then
    update idempotency_records i set operation_id = op.id where i.reseller_id = op.reseller_id and i.key = p_idempotency_key;
  end if;

  -- The wallet last: everybody who buys from it waits for this row.
  update wallets w set held = w.held + op.hold_amount
   where w.reseller_id = op.reseller_id and w.currency = op.currency and w.posted - w.held >= op.hold_amount
  returning w.posted - w.held into spendable;
  if not found then raise exception 'too little to spend' using errcode = 'LD002'; end if;
end $$;
