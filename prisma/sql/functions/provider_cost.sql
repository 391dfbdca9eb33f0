-- What the provider charges for a settled operation, in minor units of the operation's currency: the cost of the cycles
-- of its licenses at the last import. A change of cores costs the share of its price that the cost of a core is of the
-- price of a core. Null: not known in this currency.
-- Raises nothing.
create or replace function provider_cost(op operations) returns table (cost bigint) language sql stable rows 1 as $$
  select case
           when count(*) = 0 or count(*) <> count(*) filter (where u.cost_currency = op.currency) then null
           when op.kind = 'license_change_core' then
             round(op.price * sum(u.cost_per_core) / nullif(sum(u.price_per_core), 0))::bigint
           else sum(u.cost_price + case when op.kind in ('license_register', 'bundle_register') then coalesce(u.cost_setup_fee, 0) else 0 end
                    + coalesce(u.cost_per_core, 0) * greatest(coalesce(u.cores, 1) - 1, 0))::bigint
         end
    from (select c.*, l.cores,
                 (select s.price_per_core from prices s
                   where s.cycle_id = c.id and s.currency = op.currency and (s.reseller_id is null or s.reseller_id = op.reseller_id)
                   order by s.reseller_id nulls last limit 1) as price_per_core
            from licenses l
            left join bundle_instances i on i.id = l.bundle_instance_id and i.reseller_id = l.reseller_id
            left join billing_cycles b on b.id = i.cycle_id
            left join billing_cycles c on c.id = l.cycle_id or (l.cycle_id is null and c.product_id = l.product_id and c.months = b.months)
           where l.reseller_id = op.reseller_id
             and (l.id = op.license_id
                  or (op.kind in ('bundle_register', 'bundle_renew') and l.bundle_instance_id = op.bundle_instance_id))) u
$$;
