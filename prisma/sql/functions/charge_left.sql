-- Returns the minor units of an operation's charge that are neither refunded nor credited. Exact only while the wallet is
-- locked.
-- Raises nothing.
create or replace function charge_left(p_operation_id uuid) returns bigint language sql stable as $$
  select (coalesce((select -sum(e.amount) from ledger_entries e where e.operation_id = p_operation_id), 0)
          - coalesce((select sum(c.amount)
                        from core_lots lot join core_credits c on c.lot_id = lot.id left join operations o on o.id = c.operation_id
                       where lot.operation_id = p_operation_id and o.state is distinct from 'rejected'), 0))::bigint
$$;
