-- Returns the minor units of a charge of the reseller that are neither refunded nor credited. Exact only while the wallet is
-- locked.
-- Raises nothing.
create or replace function charge_left(p_operation_id uuid, p_reseller_id int) returns bigint language sql stable as $$
  select (coalesce((select -sum(e.amount) from ledger_entries e where e.operation_id = p_operation_id and e.reseller_id is not distinct from p_reseller_id), 0)
          - coalesce((select sum(c.amount)
                        from core_lots lot join core_credits c on c.lot_id = lot.id and c.reseller_id is not distinct from lot.reseller_id
                        left join operations o on o.id = c.operation_id and o.reseller_id is not distinct from c.reseller_id
                       where lot.operation_id = p_operation_id and lot.reseller_id is not distinct from p_reseller_id and o.state is distinct from 'rejected'), 0))::bigint
$$;
