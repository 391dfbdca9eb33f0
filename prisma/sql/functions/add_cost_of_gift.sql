-- Trigger: adds what the provider charges for an operation that costs the reseller nothing, and so has no ledger entry, to the
-- month's cost. `settle_wallets` has locked the wallet, so the month's row is never contended.
-- Raises nothing.
create or replace function add_cost_of_gift() returns trigger language plpgsql as $$
begin
  insert into revenue_months (reseller_id, month, product_id, bundle_id, revenue, cost, uncosted)
  select new.reseller_id, date_trunc('month', new.settled_at at time zone 'UTC')::date, coalesce(l.product_id, 0),
         case when l.product_id is null then coalesce(i.bundle_id, 0) else 0 end, 0, p.cost, 0
    from provider_cost(new) p
    left join licenses l on l.id = new.license_id and l.reseller_id is not distinct from new.reseller_id
    left join bundle_instances i on i.id = new.bundle_instance_id and i.reseller_id is not distinct from new.reseller_id
   where p.cost <> 0
  on conflict (reseller_id, month, product_id, bundle_id) do update set cost = revenue_months.cost + excluded.cost;
  return null;
end $$;
