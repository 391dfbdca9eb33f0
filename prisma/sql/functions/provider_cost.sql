-- Returns what the provider charges for a settled operation, in minor units of the operation's currency: the cost of the
-- cycles of its licenses at the last import, or `core_change_cost`. Null: not known in this currency. `uncosted`: the part of
-- the price whose cost is not known.
-- Raises nothing.
-- Looks up each row by its id: with an "or" in their place, a plan could read all licenses of the reseller for each charge.
create or replace function provider_cost(op operations) returns table (cost bigint, uncosted bigint) language sql stable rows 1 as $$
  select core.cost, core.uncosted from core_change_cost(op) core where op.kind = 'license_change_core'
  union all
  select cycles.cost, case when cycles.cost is null then op.price else 0 end
    from (select case
                   when count(*) = 0 or count(*) <> count(*) filter (where c.cost_currency = op.currency) then null
                   else sum(c.cost_price + case when op.kind in ('license_register', 'bundle_register') then coalesce(c.cost_setup_fee, 0) else 0 end
                            + coalesce(c.cost_per_core, 0) * greatest(coalesce(l.cores, 1) - 1, 0))::bigint
                 end as cost
            from unnest(case when op.kind in ('bundle_register', 'bundle_renew')
                             then array(select l.id from licenses l
                                         where l.bundle_instance_id = op.bundle_instance_id and l.reseller_id is not distinct from op.reseller_id)
                             else array[op.license_id] end) charged (license_id)
            join licenses l on l.id = charged.license_id and l.reseller_id is not distinct from op.reseller_id
            left join billing_cycles c on c.id = coalesce(l.cycle_id, (
                   select m.id from bundle_instances i
                     join billing_cycles b on b.id = i.cycle_id
                     join billing_cycles m on m.product_id = l.product_id and m.months = b.months
                    where i.id = l.bundle_instance_id and i.reseller_id is not distinct from l.reseller_id))) cycles
   where op.kind <> 'license_change_core'
$$;
