-- Counts the cores that settled credits have removed from lots, so that later changes skip lots without cores. Call it after
-- these credits have settled. Looks up each lot, however small the table was when this was planned.
-- Raises nothing.
create or replace function count_removed_cores(p_lot_ids int[]) returns void language sql set enable_seqscan to off as $$
  update core_lots lot set removed_cores = (select used.removed_cores from core_lot_use(lot.id) used) where lot.id = any (p_lot_ids)
$$;
