-- A registration wrote the license's row three times and the operation's four times, each time into all of their indexes,
-- and read all licenses where the planner expected a list of a hundred keys. What is charged, held, claimed and told is as
-- before.

-- Few licenses are in a bundle, and few have an operation in flight: the others have no place in these indexes.
drop index licenses_bundle_instance_id_idx;
create index licenses_by_bundle_instance on licenses (bundle_instance_id) where bundle_instance_id is not null;
drop index licenses_open_operation_id_idx;
create index licenses_by_open_operation on licenses (open_operation_id) where open_operation_id is not null;
drop index operations_bundle_instance_id_created_at_idx;
create index operations_by_bundle_instance on operations (bundle_instance_id, created_at) where bundle_instance_id is not null;
drop index operations_one_automatic_renewal_per_term;
create unique index operations_one_automatic_renewal_per_term on operations ((plan #>> '{facts,renewsTerm}'))
  where state <> 'rejected' and plan #>> '{facts,renewsTerm}' is not null;
-- The claims of an operation are found by it when it ends.
create index address_claims_by_operation on address_claims (operation_id) where operation_id is not null;

-- Only what a bulk job has begun is looked for among its items.
drop trigger operations_settle_bulk_item on operations;
create trigger operations_settle_bulk_item after update of state on operations
  for each row when (old.state in ('held', 'sent', 'unknown') and new.state in ('succeeded', 'rejected') and new.request_id like 'bulk:%')
  execute function settle_bulk_item();

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
     from (select n.product_id, n.ip_address from jsonb_to_recordset(p_new_licenses) as n (product_id int, ip_address text)
            union
           select (select l.product_id from licenses l where l.id = c.license_id), c.ip_address
             from jsonb_to_recordset(p_claims) as c (license_id int, ip_address text)
            order by 1, 2) wanted;

  -- What costs nothing need not know the reseller's currency.
  if op.currency is null then
    select w.currency into op.currency from wallets w where w.reseller_id = op.reseller_id;
  end if;
  -- Ids are drawn first, so that the operation's row names what it makes from the start, and is not written twice.
  if p_new_instance is not null then op.bundle_instance_id := nextval('bundle_instances_id_seq'); end if;
  if p_new_licenses is not null then
    for position in 1..jsonb_array_length(p_new_licenses) loop
      license_ids[position] := nextval('licenses_id_seq');
    end loop;
    if p_new_instance is null then op.license_id := license_ids[1]; end if;
  end if;
  insert into operations (id, kind, state, reseller_id, license_id, bundle_instance_id, hold_amount, price, currency,
                          plan, actor, request_id, lease_until, created_at)
  values (op.id, op.kind, 'held', op.reseller_id, op.license_id, op.bundle_instance_id, op.hold_amount, op.price,
          op.currency, op.plan, op.actor, op.request_id, op.lease_until, op.created_at);

  bundle_instance_id := op.bundle_instance_id;
  if p_new_instance is not null then
    insert into bundle_instances (id, bundle_id, reseller_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, open_operation_id)
    select op.bundle_instance_id, b.bundle_id, op.reseller_id, b.cycle_id, b.ip_address, b.issued_at, b.anchored_at, b.expires_at, op.id
      from jsonb_populate_record(null::bundle_instances, p_new_instance) b;
  end if;

  if p_new_licenses is not null then
    insert into licenses (id, key, reseller_id, product_id, cycle_id, bundle_instance_id, ip_address, cores, notes,
                          auto_renew, issued_at, anchored_at, expires_at, open_operation_id)
    select license_ids[l.ordinality], l.key, op.reseller_id, l.product_id, l.cycle_id, op.bundle_instance_id, l.ip_address, l.cores,
           coalesce(l.notes, ''), coalesce(l.auto_renew, false), l.issued_at, l.anchored_at, l.expires_at, op.id
      from rows from (jsonb_to_recordset(p_new_licenses) as (
             key text, product_id int, cycle_id int, ip_address text, cores int, notes text, auto_renew boolean,
             issued_at timestamptz, anchored_at timestamptz, expires_at timestamptz)) with ordinality as l
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
    update licenses l set open_operation_id = op.id from mine where l.id = mine.id;
    get diagnostics locked = row_count;
    if locked <> jsonb_array_length(p_lock_licenses) then raise exception 'a license is busy' using errcode = 'LD001'; end if;
  end if;

  if p_claims is not null then
    insert into address_claims (license_id, product_id, ip_address, valid_from, valid_until, operation_id)
    select c.license_id, (select l.product_id from licenses l where l.id = c.license_id) as product_id, c.ip_address,
           c.valid_from, c.valid_until, op.id
      from jsonb_populate_recordset(null::address_claims, p_claims) c
     order by product_id;
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

-- Ends an open operation, once: charges or releases, applies the effects that its plan states, writes the events.
-- No row: somebody else has ended it.
--   p_references   license key → the provider's own name of the license, where it told one
create or replace function settle_operation(
  p_operation_id uuid,
  p_succeeded boolean,
  p_failure_message text,
  p_references jsonb,
  p_reconciled boolean,
  p_now timestamptz
) returns setof operations language plpgsql as $$
declare
  op operations;
  effects jsonb;
  effect jsonb;
  wallet wallets;
begin
  select * into op from operations where id = p_operation_id and state in ('held', 'sent', 'unknown') for update;
  if not found then return; end if;
  effects := op.plan -> case when p_succeeded then 'onSuccess' else 'onRejection' end;

  -- One after the other by its key: joined to a list, whose length the planner cannot know, all licenses there are would be
  -- read. The row is freed of the operation in the same breath, as each writing of it writes into all of its indexes.
  for effect in select value from jsonb_array_elements(effects -> 'licenses') loop
    update licenses l set
        provisioned_at = case when effect ? 'provisioned' then p_now else l.provisioned_at end,
        cycle_id = case when effect ? 'cycleId' then (effect ->> 'cycleId')::int else l.cycle_id end,
        anchored_at = coalesce((effect ->> 'anchoredAt')::timestamptz, l.anchored_at),
        expires_at = coalesce((effect ->> 'expiresAt')::timestamptz, l.expires_at),
        ip_address = coalesce(effect ->> 'ipAddress', l.ip_address),
        hostname = coalesce(effect ->> 'hostname', l.hostname),
        cores = coalesce((effect ->> 'cores')::int, l.cores),
        suspended_at = case when effect ? 'suspension' then (case when effect #>> '{suspension,by}' is not null then p_now end) else l.suspended_at end,
        suspended_by = case when effect ? 'suspension' then (effect #>> '{suspension,by}')::suspended_by else l.suspended_by end,
        suspension_reason = case when effect ? 'suspension' then coalesce(effect #>> '{suspension,reason}', '') else l.suspension_reason end,
        terminated_at = case when effect ? 'terminated' then p_now else l.terminated_at end,
        provider_reference = coalesce(p_references ->> l.key, l.provider_reference),
        open_operation_id = nullif(l.open_operation_id, op.id),
        updated_at = p_now
     where l.key = effect ->> 'key';
  end loop;

  -- After the licenses have taken their addresses, which are never free in between.
  delete from address_claims c where c.operation_id = op.id;

  if effects ? 'bundleInstance' then
    update bundle_instances b set
        provisioned_at = case when effects -> 'bundleInstance' ? 'provisioned' then p_now else b.provisioned_at end,
        cycle_id = coalesce((effects #>> '{bundleInstance,cycleId}')::int, b.cycle_id),
        anchored_at = coalesce((effects #>> '{bundleInstance,anchoredAt}')::timestamptz, b.anchored_at),
        expires_at = coalesce((effects #>> '{bundleInstance,expiresAt}')::timestamptz, b.expires_at),
        ip_address = coalesce(effects #>> '{bundleInstance,ipAddress}', b.ip_address)
     where b.id = op.bundle_instance_id;
  end if;

  perform write_events(effects -> 'events', op, p_now);
  if p_reconciled then
    insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, occurred_at)
    values (gen_random_uuid(), op.reseller_id, 'operation.settled',
            jsonb_build_object('operation_id', op.id, 'operation', regexp_replace(op.kind::text, '_', '.'),
                               'outcome', case when p_succeeded then 'succeeded' else 'rejected' end),
            op.license_id, op.bundle_instance_id, op.id, p_now);
  end if;

  if (effects ->> 'discard')::boolean then
    delete from licenses where open_operation_id = op.id;
    delete from bundle_instances where open_operation_id = op.id;
  else
    update licenses set open_operation_id = null where open_operation_id = op.id;
    if op.bundle_instance_id is not null then
      update bundle_instances set open_operation_id = null where id = op.bundle_instance_id and open_operation_id = op.id;
    end if;
  end if;

  update wallets w set
      held = w.held - op.hold_amount,
      posted = w.posted - case when p_succeeded then op.price else 0 end
   where w.reseller_id = op.reseller_id
  returning * into wallet;
  if p_succeeded and op.price <> 0 then
    insert into ledger_entries (wallet_id, counter_account, kind, amount, posted_after, operation_id, actor, created_at)
    values (wallet.id,
            case when op.price > 0 then 'revenue' else 'credits' end::ledger_account,
            case when op.price > 0 then 'charge' else 'credit' end::ledger_entry_kind,
            -op.price, wallet.posted, op.id, op.actor, p_now);
    perform tell_low_balance(wallet, p_now);
  end if;

  return query
    update operations o set
        state = case when p_succeeded then 'succeeded' else 'rejected' end::operation_state,
        settled_at = p_now,
        reconciled_at = case when p_reconciled then p_now end,
        failure_message = p_failure_message,
        balance_after = wallet.posted - wallet.held
     where o.id = op.id
    returning o.*;
end $$;

-- As before; each license is looked up by its key, however many the planner expects.
create or replace function write_events(p_drafts jsonb, p_operation operations, p_now timestamptz) returns void language sql as $$
  insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, once_key, occurred_at)
  select (d.value ->> 'id')::uuid, p_operation.reseller_id, d.value ->> 'kind',
         case when l.id is null then '{}'::jsonb else jsonb_build_object(
           'license_id', 'lic_' || l.id, 'type', l.slug, 'server', coalesce(nullif(l.hostname, ''), l.ip_address)) end
           || coalesce(d.value -> 'data', '{}'::jsonb),
         l.id, coalesce(l.bundle_instance_id, p_operation.bundle_instance_id), p_operation.id, d.value ->> 'onceKey', p_now
    from jsonb_array_elements(p_drafts) with ordinality d
    left join lateral (
      select l.id, l.hostname, l.ip_address, l.bundle_instance_id, p.slug
        from licenses l join products p on p.id = l.product_id
       where l.key = d.value ->> 'licenseKey' limit 1) l on true
   order by d.ordinality
  on conflict (once_key) do nothing
$$;

-- A license claims its address when it comes, and anew when its address or term changes. A new one has no claim to give up.
create or replace function claim_license_address() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from address_claims c where c.license_id = new.id and c.operation_id is null;
  end if;
  if new.terminated_at is null then
    insert into address_claims (license_id, product_id, ip_address, valid_from, valid_until)
    values (new.id, new.product_id, new.ip_address,
            least(case when tg_op = 'INSERT' then new.anchored_at else greatest(new.anchored_at, new.updated_at) end, new.expires_at),
            new.expires_at);
  end if;
  return null;
end $$;
