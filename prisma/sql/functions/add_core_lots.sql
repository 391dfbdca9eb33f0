-- Records what successful operations charged for cores, per paid term, and the part of `provider_cost` for these cores: added
-- ones cost, as they are priced, the share of a term's cost that the time left is of its cycle. The plan's lots are
-- [{key, paidTermId, cores, startsAt, endsAt, amount}]; without paidTermId, the whole newest term. Leaves out lots without
-- time and amount. Balances each license once, after its effects and before its wallet is locked.
--   p_settled   as `lock_settlements` returns them
-- Raises P0001 if the lots of an operation do not add up to what it charges for cores.
create or replace function add_core_lots(p_settled jsonb) returns void language plpgsql as $$
declare
  op record;
  charged bigint;
begin
  for op in
    select s.id, s.reseller_id, s.kind, s.charged as price, o.currency,
           s.kind = 'license_change_core' or (select p.cost is not null from provider_cost(o) p) as costed, s.effects -> 'coreLots' as lots
      from jsonb_to_recordset(p_settled) as s (place int, id uuid, reseller_id int, kind text, charged bigint, effects jsonb)
      join operations o on o.id = s.id and o.reseller_id is not distinct from s.reseller_id
     where s.effects ? 'coreLots' order by s.place
  loop
    insert into core_lots (license_id, reseller_id, paid_term_id, operation_id, cores, starts_at, ends_at, amount, cost)
    select l.id, op.reseller_id, t.id, op.id, (lot.value ->> 'cores')::int, time.starts_at, time.ends_at, (lot.value ->> 'amount')::bigint,
           round((lot.value ->> 'cores')::int * coalesce(c.cost_per_core, case when op.kind <> 'license_change_core' and c.id is not null then 0 end)
                 * extract(epoch from time.ends_at - time.starts_at)
                 / extract(epoch from greatest(t.ends_at, (t.starts_at at time zone 'UTC' + make_interval(months => t.months)) at time zone 'UTC')
                                      - t.starts_at))
      from jsonb_array_elements(op.lots) with ordinality lot
     cross join lateral (select l.id, l.product_id from licenses l where l.key = lot.value ->> 'key' and l.reseller_id is not distinct from op.reseller_id limit 1) l
     cross join lateral (select coalesce((lot.value ->> 'paidTermId')::int,
                                         (select t.id from paid_terms t where t.license_id = l.id and t.reseller_id is not distinct from op.reseller_id
                                           order by t.id desc limit 1)) as id) paid
      join paid_terms t on t.license_id = l.id and t.reseller_id is not distinct from op.reseller_id and t.id = paid.id
     cross join lateral (select coalesce((lot.value ->> 'startsAt')::timestamptz, t.starts_at) as starts_at,
                                coalesce((lot.value ->> 'endsAt')::timestamptz, t.ends_at) as ends_at) time
      left join billing_cycles c on op.costed and c.product_id = l.product_id and c.months = t.months and c.cost_currency = op.currency
     where time.starts_at < time.ends_at or (lot.value ->> 'amount')::bigint > 0
     order by lot.ordinality;
    select coalesce(sum(amount), 0) into charged from core_lots where operation_id = op.id and reseller_id is not distinct from op.reseller_id;
    if charged > op.price or (op.kind = 'license_change_core' and charged <> op.price) then
      raise exception 'the lots of operation % do not add up to its price', op.id;
    end if;
    perform balance_core_lots(l.license_id)
       from (select distinct lot.license_id from core_lots lot where lot.operation_id = op.id and lot.reseller_id is not distinct from op.reseller_id) l;
  end loop;
end $$;
