-- Guarantees that an operation credits no more than its lots allow. Call it with the wallet locked, so that it sees every
-- refund and every credit of the same charges.
-- Raises LD001 if a lot or charge has less left than the operation planned with. Raises P0001 if the plan credits elapsed
-- time, more than the lots' share, or another sum than the operation pays out.
create or replace function require_core_credits(p_operation operations) returns void language plpgsql as $$
declare
  credited bigint;
  most numeric;
  intact boolean;
  overdrawn boolean;
  charges uuid[];
begin
  -- "offset 0" looks up the lot of each credit, however small the table was when this was planned.
  select coalesce(sum(c.amount), 0),
         sum(lot.amount * c.cores * greatest(0, extract(epoch from lot.ends_at - c.credited_from))
             / (lot.cores * extract(epoch from lot.ends_at - lot.starts_at))),
         bool_and(c.credited_from >= greatest(lot.starts_at, p_operation.created_at) and lot.license_id = p_operation.license_id),
         bool_or(used.reserved_cores > lot.cores or used.credited_amount > lot.amount),
         array_agg(distinct lot.operation_id)
    into credited, most, intact, overdrawn, charges
    from core_credits c cross join lateral (select * from core_lots l where l.id = c.lot_id offset 0) lot
   cross join lateral core_lot_use(lot.id) used
   where c.operation_id = p_operation.id;
  -- Rounded quotients can add up to slightly less than a whole number.
  if intact is not true or credited <> -p_operation.price or credited > floor(most + 0.000001) then
    raise exception 'operation % has invalid core credits', p_operation.id;
  end if;

  if overdrawn or exists (select from unnest(charges) as charge (id) where charge_left(charge.id, p_operation.reseller_id) < 0) then
    raise exception 'a lot or its charge has less left' using errcode = 'LD001';
  end if;
end $$;
