-- Hold, settle and post: each is one call in autocommit, so the lock on a busy wallet lasts one statement and no
-- provider is ever called while it is held. Errors carry an SQLSTATE of class LD; lib/db/operation.ts names them.

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
create function hold_operation(
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
                            issued_at, anchored_at, expires_at, open_operation_id)
      select l.key, op.reseller_id, l.product_id, l.cycle_id, hold_operation.bundle_instance_id, l.ip_address, l.cores,
             coalesce(l.notes, ''), l.issued_at, l.anchored_at, l.expires_at, op.id
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

-- Writes event rows from drafts {id, kind, licenseKey?, data}: license events get license_id, type and server
-- (decisions 4.1) from the row as it is now.
create function write_events(p_drafts jsonb, p_operation operations, p_now timestamptz) returns void language sql as $$
  insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, occurred_at)
  select (d.value ->> 'id')::uuid, p_operation.reseller_id, d.value ->> 'kind',
         case when l.id is null then '{}'::jsonb else jsonb_build_object(
           'license_id', 'lic_' || l.id, 'type', p.slug, 'server', coalesce(nullif(l.hostname, ''), l.ip_address)) end
           || coalesce(d.value -> 'data', '{}'::jsonb),
         l.id, coalesce(l.bundle_instance_id, p_operation.bundle_instance_id), p_operation.id, p_now
    from jsonb_array_elements(p_drafts) with ordinality d
    left join licenses l on l.key = d.value ->> 'licenseKey'
    left join products p on p.id = l.product_id
   order by d.ordinality
$$;

-- Money in major units, as events tell it (decisions 1.9).
create function to_major(p_minor bigint, p_digits int) returns numeric language sql immutable as $$
  select trim_scale(p_minor / power(10::numeric, p_digits))
$$;

-- Told once when what can be spent falls below the reseller's threshold, and again only after it has risen above it.
create function tell_low_balance(p_wallet wallets, p_now timestamptz) returns void language plpgsql as $$
declare
  is_low boolean := p_wallet.posted - p_wallet.held < p_wallet.low_balance_threshold;
begin
  if is_low and p_wallet.low_balance_told_at is null then
    update wallets set low_balance_told_at = p_now where id = p_wallet.id;
    insert into events (id, reseller_id, kind, data, occurred_at)
    values (gen_random_uuid(), p_wallet.reseller_id, 'wallet.low_balance',
            jsonb_build_object('currency', p_wallet.currency,
                               'balance', to_major(p_wallet.posted - p_wallet.held, p_wallet.minor_digits),
                               'threshold', to_major(p_wallet.low_balance_threshold, p_wallet.minor_digits)), p_now);
  elsif not is_low and p_wallet.low_balance_told_at is not null then
    update wallets set low_balance_told_at = null where id = p_wallet.id;
  end if;
end $$;

-- Ends an open operation, once: charges or releases, applies the effects that its plan states, writes the events.
-- No row: somebody else has ended it.
--   p_references   license key → the provider's own name of the license, where it told one
create function settle_operation(
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
  wallet wallets;
begin
  select * into op from operations where id = p_operation_id and state in ('held', 'sent', 'unknown') for update;
  if not found then return; end if;
  effects := op.plan -> case when p_succeeded then 'onSuccess' else 'onRejection' end;

  update licenses l set
      provisioned_at = case when c.value ? 'provisioned' then p_now else l.provisioned_at end,
      cycle_id = case when c.value ? 'cycleId' then (c.value ->> 'cycleId')::int else l.cycle_id end,
      anchored_at = coalesce((c.value ->> 'anchoredAt')::timestamptz, l.anchored_at),
      expires_at = coalesce((c.value ->> 'expiresAt')::timestamptz, l.expires_at),
      ip_address = coalesce(c.value ->> 'ipAddress', l.ip_address),
      hostname = coalesce(c.value ->> 'hostname', l.hostname),
      cores = coalesce((c.value ->> 'cores')::int, l.cores),
      suspended_at = case when c.value ? 'suspension' then (case when c.value #>> '{suspension,by}' is not null then p_now end) else l.suspended_at end,
      suspended_by = case when c.value ? 'suspension' then (c.value #>> '{suspension,by}')::suspended_by else l.suspended_by end,
      suspension_reason = case when c.value ? 'suspension' then coalesce(c.value #>> '{suspension,reason}', '') else l.suspension_reason end,
      provider_reference = coalesce(p_references ->> l.key, l.provider_reference),
      updated_at = p_now
    from jsonb_array_elements(effects -> 'licenses') c
   where l.key = c.value ->> 'key';

  -- After the licenses have taken their addresses, which are never free in between.
  delete from address_claims c using licenses l where l.open_operation_id = op.id and c.license_id = l.id and c.operation_id = op.id;

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
    update bundle_instances set open_operation_id = null where open_operation_id = op.id;
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

-- Money that no operation moves: top-ups, adjustments, refunds. Positive amounts enter the wallet.
-- LD002 too little to spend   23505 the reference was used before
create function post_ledger_entry(
  p_reseller_id int,
  p_kind ledger_entry_kind,
  p_counter_account ledger_account,
  p_amount bigint,
  p_reference text,
  p_note text,
  p_actor text,
  p_operation_id uuid,
  p_event jsonb,
  p_now timestamptz
) returns setof ledger_entries language plpgsql as $$
declare
  wallet wallets;
begin
  update wallets w set posted = w.posted + p_amount
   where w.reseller_id = p_reseller_id and w.posted + p_amount - w.held >= 0
  returning * into wallet;
  if not found then raise exception 'too little to spend' using errcode = 'LD002'; end if;
  perform tell_low_balance(wallet, p_now);
  if p_event is not null then
    insert into events (id, reseller_id, kind, data, occurred_at)
    values ((p_event ->> 'id')::uuid, p_reseller_id, p_event ->> 'kind', p_event -> 'data', p_now);
  end if;
  return query
    insert into ledger_entries (wallet_id, counter_account, kind, amount, posted_after, operation_id, reference, note, actor, created_at)
    values (wallet.id, p_counter_account, p_kind, p_amount, wallet.posted, p_operation_id, p_reference, p_note, p_actor, p_now)
    returning *;
end $$;
