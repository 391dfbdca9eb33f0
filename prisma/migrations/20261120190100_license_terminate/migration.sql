-- AlterEnum
ALTER TYPE "operation_kind" ADD VALUE 'license_terminate';

-- As it was, and a plan may end a license.
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
      terminated_at = case when c.value ? 'terminated' then p_now else l.terminated_at end,
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
