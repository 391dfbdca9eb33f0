-- Records what a successful operation charged for cores, per paid term.
--   p_lots   [{key, paidTermId, cores, startsAt, endsAt, amount}]; without paidTermId, the whole newest term
-- Raises P0001 if the amounts do not add up to what the operation charges for cores.
create or replace function add_core_lots(p_operation operations, p_lots jsonb) returns void language plpgsql as $$
declare
  charged bigint;
begin
  insert into core_lots (license_id, reseller_id, paid_term_id, operation_id, cores, starts_at, ends_at, amount)
  select l.id, p_operation.reseller_id, t.id, p_operation.id, (lot.value ->> 'cores')::int, coalesce((lot.value ->> 'startsAt')::timestamptz, t.starts_at),
         coalesce((lot.value ->> 'endsAt')::timestamptz, t.ends_at), (lot.value ->> 'amount')::bigint
    from jsonb_array_elements(p_lots) with ordinality lot
   cross join lateral (select l.id from licenses l where l.key = lot.value ->> 'key' and l.reseller_id = p_operation.reseller_id limit 1) l
   cross join lateral (select t.id, t.starts_at, t.ends_at from paid_terms t
                        where t.license_id = l.id and t.reseller_id = p_operation.reseller_id and t.id = coalesce((lot.value ->> 'paidTermId')::int, t.id)
                        order by t.id desc limit 1) t
   order by lot.ordinality;
  select coalesce(sum(amount), 0) into charged from core_lots where operation_id = p_operation.id and reseller_id = p_operation.reseller_id;
  if charged > p_operation.price or (p_operation.kind = 'license_change_core' and charged <> p_operation.price) then
    raise exception 'the lots of operation % do not add up to its price', p_operation.id;
  end if;
end $$;
