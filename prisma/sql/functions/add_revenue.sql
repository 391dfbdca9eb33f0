-- Trigger: adds charges, credits and refunds to their month's revenue, and to its cost what the provider charges for them by
-- `provider_cost`. Refunds have no cost, nor have charges with a reference, which charge again what was refunded. The posting
-- transaction holds the wallet's lock, so the month's row is never contended.
-- Raises nothing.
create or replace function add_revenue() returns trigger language plpgsql as $$
begin
  insert into revenue_months (reseller_id, month, product_id, bundle_id, revenue, cost, uncosted)
  select n.reseller_id, date_trunc('month', n.created_at at time zone 'UTC')::date, coalesce(l.product_id, 0),
         case when l.product_id is null then coalesce(i.bundle_id, 0) else 0 end,
         -sum(n.amount), sum(coalesce(p.cost, 0)),
         sum(case when n.kind <> 'refund' and n.reference is null then coalesce(p.uncosted, -n.amount) else 0 end)
    from new_entries n
    left join operations o on o.id = n.operation_id and o.reseller_id = n.reseller_id
    left join licenses l on l.id = o.license_id and l.reseller_id is not distinct from o.reseller_id
    left join bundle_instances i on i.id = o.bundle_instance_id and i.reseller_id is not distinct from o.reseller_id
    left join lateral provider_cost(o) p on n.kind <> 'refund' and n.reference is null
   where n.counter_account in ('revenue', 'credits')
   group by 1, 2, 3, 4
   order by 1, 2, 3, 4
  on conflict (reseller_id, month, product_id, bundle_id) do update
    set revenue = revenue_months.revenue + excluded.revenue, cost = revenue_months.cost + excluded.cost,
        uncosted = revenue_months.uncosted + excluded.uncosted;
  return null;
end $$;
