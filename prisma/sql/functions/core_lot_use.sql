-- Returns what credits take from a lot. Credits of an open operation are reserved, those of a rejected one are void.
-- Raises nothing.
create or replace function core_lot_use(p_lot_id int, out reserved_cores int, out removed_cores int, out credited_amount bigint)
language sql stable as $$
  select coalesce(sum(c.cores), 0)::int,
         coalesce(sum(c.cores) filter (where o.id is null or o.state = 'succeeded'), 0)::int,
         coalesce(sum(c.amount), 0)::bigint
    from core_credits c left join operations o on o.id = c.operation_id
   where c.lot_id = p_lot_id and o.state is distinct from 'rejected'
$$;
