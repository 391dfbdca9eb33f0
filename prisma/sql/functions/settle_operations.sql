-- Settles open operations in one transaction, each exactly once: charges or releases its hold, applies the effects of its
-- plan, and writes the events. Every step runs once for the whole list. Locks operations, then bundles, then licenses, then
-- wallets, each in one order, as `hold_operations` does.
--   p_settlements   [{place, resellerId, id, token, succeeded, unsent?, failureMessage?, references?, reconciled, now}];
--                   unsent: the provider was not reached, and the caller may retry: the plan's events of a rejection are left out;
--                   references: license key → the provider's reference, where it returned one
-- Returns the operations that it settled: not those that have ended, or whose token another claim has replaced.
-- Raises 23P01 if a license's new address or term conflicts with another live license: nothing is settled then.
-- Plans are kept while tables grow, and cannot foresee the length of a list: one made for small tables would read large ones
-- whole. With these settings, tables are joined in the written order, and each row is looked up, in the order of the list.
-- `is not distinct from`, which no index answers, keeps a plan from reading all rows of a reseller for one of them.
-- A lock is waited for 1.5 s, because the whole list waits with it; PostgreSQL finds a deadlock after 1 s.
create or replace function settle_operations(p_settlements jsonb) returns setof operations language plpgsql
set plan_cache_mode to force_generic_plan set join_collapse_limit to 1 set from_collapse_limit to 1 set cpu_tuple_cost to 10
set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off set lock_timeout to '1500ms' as $$
declare
  settled jsonb;
  ids uuid[];
  discarded uuid[];
  licenses int[];
begin
  settled := lock_settlements(p_settlements);
  if settled is null then return; end if;
  ids := array(select s.id from jsonb_to_recordset(settled) as s (id uuid));
  licenses := licenses_of_operations(settled);

  perform apply_effects(settled);
  -- Only after the licenses have claimed their addresses, so that no address is free in between.
  delete from address_claims c where c.operation_id = any (ids);
  if settled @? '$[*].effects.coreLots' then perform add_core_lots(settled); end if;
  perform write_events(settled);

  if settled @? '$[*].effects.discard' then
    discarded := array(select s.id from jsonb_to_recordset(settled) as s (id uuid, effects jsonb) where s.effects ? 'discard');
    delete from licenses l where l.id = any (licenses) and l.open_operation_id = any (discarded);
    delete from bundle_instances b where b.open_operation_id = any (discarded);
  end if;
  update licenses l set open_operation_id = null where l.id = any (licenses) and l.open_operation_id = any (ids);
  if settled @? '$[*] ? (@.bundle_instance_id != null)' then
    update bundle_instances b set open_operation_id = null where b.open_operation_id = any (ids);
  end if;

  perform settle_wallets(settled);
  if settled @? '$[*] ? (@.kind == "license_change_core")' then
    perform count_removed_cores(array(select c.lot_id from core_credits c where c.operation_id = any (ids)));
  end if;
  return query select o.* from operations o where o.id = any (ids);
end $$;
