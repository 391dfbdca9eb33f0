-- Trigger: adds a charge, credit or refund to its month's revenue, and to its cost what the provider charges for it by
-- today's catalog. The posting transaction holds the wallet's lock, so the month's row is never contended.
-- Raises nothing.
create or replace function add_revenue() returns trigger language plpgsql as $$
declare
  op operations;
  product int;
  bundle int;
  known bigint;
begin
  select * into op from operations o where o.id = new.operation_id and o.reseller_id = new.reseller_id;
  select l.product_id into product from licenses l where l.id = op.license_id and l.reseller_id = op.reseller_id;
  if product is null then
    select i.bundle_id into bundle from bundle_instances i where i.id = op.bundle_instance_id and i.reseller_id = op.reseller_id;
  end if;
  known := case when new.kind = 'refund' then 0 else provider_cost(op) end;
  insert into revenue_months (reseller_id, month, product_id, bundle_id, revenue, cost, uncosted)
  values (new.reseller_id, date_trunc('month', new.created_at at time zone 'UTC')::date, coalesce(product, 0), coalesce(bundle, 0),
          -new.amount, coalesce(known, 0), case when known is null then -new.amount else 0 end)
  on conflict (reseller_id, month, product_id, bundle_id) do update
    set revenue = revenue_months.revenue + excluded.revenue, cost = revenue_months.cost + excluded.cost,
        uncosted = revenue_months.uncosted + excluded.uncosted;
  return null;
end $$;
