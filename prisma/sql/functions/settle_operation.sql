-- Settles an open operation exactly once: charges or releases the hold, applies the effects of its plan, and writes the
-- events. Returns false if the operation is already settled, or if another claim has replaced p_token.
--   p_references   license key → the provider's reference, where it returned one
-- Raises 23P01 if a license's new address or term conflicts with another live license.
create or replace function settle_operation(
  p_reseller_id int,
  p_operation_id uuid,
  p_token uuid,
  p_succeeded boolean,
  p_failure_message text,
  p_references jsonb,
  p_reconciled boolean,
  p_now timestamptz
) returns boolean language plpgsql as $$
declare
  op operations;
  effects jsonb;
  effect jsonb;
  wallet wallets;
begin
  select * into op from operations where id = p_operation_id and reseller_id = p_reseller_id and lease_token = p_token and state in ('held', 'sent', 'unknown') for update;
  if not found then return false; end if;
  effects := op.plan -> case when p_succeeded then 'onSuccess' else 'onRejection' end;

  -- Before the licenses, whose paid terms take their months from this cycle.
  if effects ? 'bundleInstance' then
    update bundle_instances b set
        provisioned_at = case when effects -> 'bundleInstance' ? 'provisioned' then p_now else b.provisioned_at end,
        cycle_id = coalesce((effects #>> '{bundleInstance,cycleId}')::int, b.cycle_id),
        anchored_at = coalesce((effects #>> '{bundleInstance,anchoredAt}')::timestamptz, b.anchored_at),
        expires_at = coalesce((effects #>> '{bundleInstance,expiresAt}')::timestamptz, b.expires_at),
        ip_address = coalesce(effects #>> '{bundleInstance,ipAddress}', b.ip_address),
        agreed_renewal_price = coalesce((effects #>> '{bundleInstance,renewalPrice}')::bigint, b.agreed_renewal_price),
        announced_renewal_price = case when effects -> 'bundleInstance' ? 'renewalPrice' then null else b.announced_renewal_price end,
        renewal_price_announced_at = case when effects -> 'bundleInstance' ? 'renewalPrice' then null else b.renewal_price_announced_at end
     where b.id = op.bundle_instance_id and b.reseller_id = op.reseller_id;
  end if;

  -- One update per key: a join against a list of unknown length would scan all licenses. The same update clears
  -- open_operation_id, because each further write would touch every index of the row.
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
        agreed_renewal_price = coalesce((effect ->> 'renewalPrice')::bigint,
                                        l.agreed_renewal_price + coalesce((effect ->> 'renewalPriceChange')::bigint, 0)),
        announced_renewal_price = case when effect ? 'renewalPrice' then null
                                       else l.announced_renewal_price + coalesce((effect ->> 'renewalPriceChange')::bigint, 0) end,
        renewal_price_announced_at = case when effect ? 'renewalPrice' then null else l.renewal_price_announced_at end,
        provider_reference = coalesce(p_references ->> l.key, l.provider_reference),
        open_operation_id = nullif(l.open_operation_id, op.id),
        updated_at = p_now
     where l.key = effect ->> 'key' and l.reseller_id = op.reseller_id;
    -- A member's cores are renewed with its bundle.
    if effect ? 'renewalPriceChange' then
      update bundle_instances b set
          agreed_renewal_price = b.agreed_renewal_price + (effect ->> 'renewalPriceChange')::bigint,
          announced_renewal_price = b.announced_renewal_price + (effect ->> 'renewalPriceChange')::bigint
       where b.reseller_id = op.reseller_id
         and b.id = (select l.bundle_instance_id from licenses l where l.key = effect ->> 'key' and l.reseller_id = op.reseller_id);
    end if;
  end loop;

  -- Only after the licenses have claimed their addresses, so that no address is free in between.
  delete from address_claims c where c.operation_id = op.id;

  if effects ? 'coreLots' then perform add_core_lots(op, effects -> 'coreLots'); end if;

  perform write_events(effects -> 'events', op, p_now);
  if p_reconciled then
    insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, occurred_at)
    values (gen_random_uuid(), op.reseller_id, 'operation.settled',
            license_facts(op.license_id)
              || case when op.bundle_instance_id is null then '{}' else jsonb_build_object('bundle_instance_id', op.bundle_instance_id) end
              || jsonb_build_object('operation_id', op.id, 'operation', regexp_replace(op.kind::text, '_', '.'),
                                    'outcome', case when p_succeeded then 'succeeded' else 'rejected' end),
            op.license_id, op.bundle_instance_id, op.id, p_now);
  end if;

  if (effects ->> 'discard')::boolean then
    delete from licenses where open_operation_id = op.id;
    delete from bundle_instances where open_operation_id = op.id;
  else
    update licenses set open_operation_id = null where open_operation_id = op.id;
    if op.bundle_instance_id is not null then
      update bundle_instances set open_operation_id = null where id = op.bundle_instance_id and reseller_id = op.reseller_id
         and open_operation_id = op.id;
    end if;
  end if;

  update wallets w set
      held = w.held - op.hold_amount,
      posted = w.posted - case when p_succeeded then op.price else 0 end
   where w.reseller_id = op.reseller_id
  returning * into wallet;
  if p_succeeded and op.price <> 0 then
    insert into ledger_entries (reseller_id, counter_account, kind, amount, posted_after, operation_id, actor, created_at)
    values (op.reseller_id,
            case when op.price > 0 then 'revenue' else 'credits' end::ledger_account,
            case when op.price > 0 then 'charge' else 'credit' end::ledger_entry_kind,
            -op.price, wallet.posted, op.id, op.actor, p_now);
  end if;
  -- A released hold raises the available balance, too.
  if op.hold_amount <> 0 or op.price <> 0 then perform emit_low_balance(wallet, p_now); end if;

  update operations o set
      state = case when p_succeeded then 'succeeded' else 'rejected' end::operation_state,
      settled_at = p_now,
      owner_id = null,
      reconciled_at = case when p_reconciled then p_now end,
      failure_message = p_failure_message,
      balance_after = wallet.posted - wallet.held
   where o.id = op.id and o.reseller_id = op.reseller_id;
  return true;
end $$;
