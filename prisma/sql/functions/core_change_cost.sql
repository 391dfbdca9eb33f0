-- Returns what the provider charges for a settled change of cores, in minor units of the operation's currency: the cost of its
-- lots, or for a removal, negative, the share of its lots' cost that the cores and the time left are of theirs. What a refund
-- took from the credit does not lower it. `uncosted`: the part of the price whose lots have no known cost.
-- Raises nothing.
create or replace function core_change_cost(op operations, out cost bigint, out uncosted bigint) language sql stable as $$
  select round(sum(part.cost))::bigint, coalesce(sum(part.amount) filter (where part.cost is null), 0)::bigint
    from (select lot.cost::numeric as cost, lot.amount
            from core_lots lot where lot.operation_id = op.id and lot.reseller_id is not distinct from op.reseller_id
          union all
          select (select -lot.cost * credit.cores * greatest(0, extract(epoch from lot.ends_at - credit.credited_from))
                         / (lot.cores * extract(epoch from lot.ends_at - lot.starts_at))
                    from core_lots lot
                   where lot.id = credit.lot_id and lot.reseller_id is not distinct from op.reseller_id), -credit.amount
            from core_credits credit
           where credit.operation_id = op.id and credit.reseller_id is not distinct from op.reseller_id) part
$$;
