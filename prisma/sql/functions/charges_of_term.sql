-- Returns what is left of each charge for the present term of a license or its bundle and the time after it, less refunds and
-- credits, newest first. `operations_of_term` has the rule. A change of cores counts only by its lots of paid terms that have
-- not ended at p_at.
-- Raises nothing.
create or replace function charges_of_term(p_license_id int, p_at timestamptz)
returns table (operation_id uuid, amount bigint) language sql stable rows 10 as $$
  with ended as (
    select l.reseller_id, coalesce(l.terminated_at, p_at) as at from licenses l where l.id = p_license_id
  ), charged as (
    select o.id, o.settled_at,
           least(charge_left(o.id, ended.reseller_id),
                 case when o.kind = 'license_change_core' then (
                   select coalesce(sum(lot.amount - used.credited_amount), 0)
                     from core_lots lot cross join lateral core_lot_use(lot.id) used
                    where lot.operation_id = o.id and lot.paid_term_id in (select t.id from paid_terms_ahead(lot.license_id, ended.at) t)) end)::bigint as amount
      from ended, operations_of_term(p_license_id, p_at) o where o.price > 0
  )
  select c.id, c.amount from charged c where c.amount > 0 order by c.settled_at desc, c.id
$$;
