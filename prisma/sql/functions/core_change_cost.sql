-- What the provider charges for a settled change of cores, in minor units of the operation's currency; negative for a credit.
-- Added cores cost, in each paid term, cores × the cost of a core at the last import × (time left ÷ length of the cycle), as
-- they are priced. A credit returns the share of its lot's cost that it is of the lot's amount, whatever a core costs by then.
-- Null: not known in this currency.
-- Raises nothing.
create or replace function core_change_cost(op operations) returns bigint language sql stable as $$
  select case when count(*) = count(*) filter (where c.cost_currency = op.currency and c.cost_per_core is not null) then
           round(sum(part.share * part.cores * c.cost_per_core * extract(epoch from part.ends_at - part.starts_at)
                     / extract(epoch from greatest(t.ends_at, (t.starts_at at time zone 'UTC' + make_interval(months => t.months)) at time zone 'UTC')
                                          - t.starts_at)))::bigint
         end
    from (select lot.paid_term_id, lot.license_id, lot.cores, lot.starts_at, lot.ends_at, 1::numeric as share
            from core_lots lot where lot.operation_id = op.id and lot.reseller_id is not distinct from op.reseller_id
          union all
          select lot.paid_term_id, lot.license_id, lot.cores, lot.starts_at, lot.ends_at, -credit.amount / lot.amount::numeric
            from core_credits credit
            join core_lots lot on lot.id = credit.lot_id and lot.reseller_id is not distinct from op.reseller_id
           where credit.operation_id = op.id and credit.amount > 0) part
    join paid_terms t on t.id = part.paid_term_id and t.reseller_id is not distinct from op.reseller_id
    join licenses l on l.id = part.license_id and l.reseller_id is not distinct from op.reseller_id
    left join billing_cycles c on c.product_id = l.product_id and c.months = t.months
$$;
