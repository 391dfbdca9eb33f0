-- Places a hold: inserts an operation in state `held`, reserves its money, and locks or creates its licenses. All or
-- nothing. Called by `hold_operations`, which has locked its addresses and rows.
--   p_reseller_id       whose operation it is
--   p_operation         the row to insert (owner_id, lease_token, plan, price, …)
--   p_new_licenses      rows to insert, in order; pending until settled
--   p_new_instance      a bundle instance to insert first, or null
--   p_lock_licenses     licenses that the operation changes, with the version read: [{id, version}]
--   p_lock_instance     the bundle instance that it changes, or null
--   p_claims            addresses to reserve until it ends: [{license_id, ip_address, valid_from, valid_until}]
--   p_idempotency_key   the key of the request, claimed under p_key_token; linked to the operation
-- Reserves the plan's credits from their lots: `coreCredits` is [{lotId, cores, creditedFrom, amount}].
-- Raises LD001 if a license, bundle or lot has an operation in flight, has ended or has changed since it was read, LD002
-- if the funds are insufficient, LD007 if another request has claimed the idempotency key or the key has an operation
-- that was not rejected, LD010 if a suspended reseller would pay, LD012 if the API key's spending limit is reached, 23P01 if a live license of the product has the address,
-- 23505 if a license of the reseller has the external id.
create or replace function hold_operation(
  p_reseller_id int,
  p_operation jsonb,
  p_new_licenses jsonb,
  p_new_instance jsonb,
  p_lock_licenses jsonb,
  p_lock_instance int,
  p_claims jsonb,
  p_idempotency_key text,
  p_key_token uuid,
  out license_ids int[],
  out bundle_instance_id int,
  out spendable bigint
) language plpgsql as $$
declare
  op operations := jsonb_populate_record(null::operations, p_operation);
  locked int;
begin
  op.reseller_id := p_reseller_id;
  -- Free operations come without a currency.
  if op.currency is null then
    select w.currency into op.currency from wallets w where w.reseller_id = op.reseller_id;
  end if;
  -- Drawing ids first lets the operation's row name what it creates without a second write.
  if p_new_instance is not null then op.bundle_instance_id := nextval('bundle_instances_id_seq'); end if;
  if p_new_licenses is not null then
    for position in 1..jsonb_array_length(p_new_licenses) loop
      license_ids[position] := nextval('licenses_id_seq');
    end loop;
    if p_new_instance is null then op.license_id := license_ids[1]; end if;
  end if;
  insert into operations (id, kind, state, reseller_id, license_id, bundle_instance_id, hold_amount, price, currency,
                          plan, actor, spending_key_id, request_id, owner_id, lease_token, created_at)
  values (op.id, op.kind, 'held', op.reseller_id, op.license_id, op.bundle_instance_id, op.hold_amount, op.price,
          op.currency, op.plan, op.actor, op.spending_key_id, op.request_id, op.owner_id, op.lease_token, op.created_at);

  bundle_instance_id := op.bundle_instance_id;
  if p_new_instance is not null then
    insert into bundle_instances (id, bundle_id, reseller_id, cycle_id, ip_address, issued_at, anchored_at, expires_at,
                                  agreed_renewal_price, open_operation_id)
    select op.bundle_instance_id, b.bundle_id, op.reseller_id, b.cycle_id, b.ip_address, b.issued_at, b.anchored_at, b.expires_at,
           b.agreed_renewal_price, op.id
      from jsonb_populate_record(null::bundle_instances, p_new_instance) b;
  end if;

  if p_new_licenses is not null then
    insert into licenses (id, key, reseller_id, product_id, cycle_id, bundle_instance_id, ip_address, cores, notes,
                          external_id, auto_renew, agreed_renewal_price, issued_at, anchored_at, expires_at, open_operation_id)
    select license_ids[l.ordinality], l.key, op.reseller_id, l.product_id, l.cycle_id, op.bundle_instance_id, l.ip_address, l.cores,
           coalesce(l.notes, ''), l.external_id, coalesce(l.auto_renew, false), l.agreed_renewal_price, l.issued_at, l.anchored_at, l.expires_at, op.id
      from rows from (jsonb_to_recordset(p_new_licenses) as (
             key text, product_id int, cycle_id int, ip_address text, cores int, notes text, external_id text,
             auto_renew boolean, agreed_renewal_price bigint, issued_at timestamptz, anchored_at timestamptz, expires_at timestamptz)) with ordinality as l
     order by l.product_id;
  end if;

  if p_lock_instance is not null then
    update bundle_instances b set open_operation_id = op.id
     where b.id = p_lock_instance and b.reseller_id = op.reseller_id and b.open_operation_id is null and b.terminated_at is null;
    if not found then raise exception 'bundle instance % is busy', p_lock_instance using errcode = 'LD001'; end if;
  end if;

  if p_lock_licenses is not null then
    license_ids := array(select (seen ->> 'id')::int from jsonb_array_elements(p_lock_licenses) seen);
    with mine as (
      select l.id from licenses l
       where l.id = any (license_ids) and l.reseller_id = op.reseller_id and l.open_operation_id is null and l.terminated_at is null
         and l.xmin::text in (select seen ->> 'version' from jsonb_array_elements(p_lock_licenses) seen where (seen ->> 'id')::int = l.id)
       order by l.id for update of l
    )
    update licenses l set open_operation_id = op.id from mine where l.id = mine.id and l.reseller_id = op.reseller_id;
    get diagnostics locked = row_count;
    if locked <> jsonb_array_length(p_lock_licenses) then raise exception 'a license is busy' using errcode = 'LD001'; end if;
  end if;

  if p_claims is not null then
    insert into address_claims (sandbox_id, reseller_id, license_id, product_id, ip_address, valid_from, valid_until, operation_id)
    select sandbox_of(op.reseller_id), op.reseller_id, c.license_id,
           (select l.product_id from licenses l where l.id = c.license_id and l.reseller_id = op.reseller_id) as product_id,
           c.ip_address, c.valid_from, c.valid_until, op.id
      from jsonb_populate_recordset(null::address_claims, p_claims) c
     order by product_id;
  end if;

  if op.plan ? 'coreCredits' then
    insert into core_credits (lot_id, reseller_id, operation_id, cores, credited_from, amount)
    select c."lotId", op.reseller_id, op.id, c.cores, c."creditedFrom", c.amount
      from jsonb_to_recordset(op.plan -> 'coreCredits') as c ("lotId" int, cores int, "creditedFrom" timestamptz, amount bigint);
  end if;

  if p_idempotency_key is not null then
    update idempotency_records i set operation_id = op.id
     where i.reseller_id = op.reseller_id and i.key = p_idempotency_key and i.lease_token = p_key_token
       and (i.operation_id is null or exists (select from operations o where o.id = i.operation_id and o.reseller_id = op.reseller_id and o.state = 'rejected'));
    if not found then raise exception 'another request has claimed the idempotency key' using errcode = 'LD007'; end if;
  end if;

  -- The wallet comes last: every purchase of the reseller waits for this row.
  loop
    update wallets w set held = w.held + op.hold_amount
     where w.reseller_id = op.reseller_id and w.currency = op.currency and w.posted - w.held >= op.hold_amount
       and (op.hold_amount = 0 or not w.suspended)
    returning w.posted - w.held into spendable;
    exit when found;
    if exists (select from wallets w where w.reseller_id = op.reseller_id and w.suspended) then
      raise exception 'reseller % is suspended', op.reseller_id using errcode = 'LD010';
    end if;
    perform refuse_short_wallet(op.reseller_id, op.hold_amount, op.currency);
  end loop;
  -- After the wallet, because other charges of the key wait for it, too.
  if op.spending_key_id is not null and op.hold_amount > 0 then perform refuse_overspending(op); end if;
  -- After the wallet, because refunds and credits of the same charge wait for it, too.
  if op.price < 0 or op.plan ? 'coreCredits' then perform require_core_credits(op); end if;
end $$;
