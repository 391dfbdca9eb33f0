-- Returns what was charged for a license's term after p_until and is neither refunded nor credited, newest operation
-- first. Each registration, renewal and core lot counts in proportion to the time that it bought. Time after the license's
-- end, or since the start of what a later purchase bought, does not count.
--   p_until       end of the provider's term
--   p_tolerance   largest distance between the two ends that is not a difference; a purchase that starts within it counts whole
-- Raises nothing.
create or replace function unprovided_charges(p_license_id int, p_until timestamptz, p_tolerance interval)
returns table (operation_id uuid, amount bigint) language sql stable rows 10 as $$
  with unit as (
    select id, bundle_instance_id from licenses_of_unit(p_license_id)
  ), about as (
    select o.id from unit join operations o on o.license_id = unit.id
    union
    select o.id from unit join operations o on o.bundle_instance_id = unit.bundle_instance_id
  ), done as (
    select o.* from about join operations o on o.id = about.id where o.state = 'succeeded'
  ), charged as (
    select * from done where price > 0
  ), bought as (
    select o.id, (o.price - coalesce((select sum(lot.amount) from core_lots lot where lot.operation_id = o.id), 0))::numeric as amount,
           bought_from(o) as starts_at,
           coalesce(o.plan #>> '{facts,newExpiry}', o.plan #>> '{facts,expiresAt}', o.plan #>> '{steps,0,request,expiresAt}')::timestamptz as ends_at,
           (select min(bought_from(d)) from done d
             where d.kind in ('license_renew', 'bundle_renew') and d.settled_at > o.settled_at) as cut_at
      from charged o
    union all
    select o.id, lot.amount * (lot.cores - used.reserved_cores)::numeric / lot.cores, lot.starts_at, lot.ends_at, term.ends_at
      from charged o join core_lots lot on lot.operation_id = o.id and lot.removed_cores < lot.cores
     cross join lateral core_lot_use(lot.id) used
      join paid_terms_ahead(lot.license_id, p_until) term on term.id = lot.paid_term_id
  ), missing as (
    select b.id, b.amount * extract(epoch from t.ends_at - t.starts_at) / extract(epoch from b.ends_at - b.starts_at) as amount
      from bought b
     cross join lateral (
       select case when p_until <= b.starts_at + p_tolerance then b.starts_at else p_until end as starts_at,
              least(b.ends_at, b.cut_at, (select l.expires_at from licenses l where l.id = p_license_id)) as ends_at) t
     where b.ends_at > b.starts_at and t.ends_at > p_until + p_tolerance and t.ends_at > t.starts_at
  ), owed as (
    select m.id, least(floor(sum(m.amount)), charge_left(m.id, (select l.reseller_id from licenses l where l.id = p_license_id)))::bigint as amount from missing m group by m.id
  )
  select o.id, o.amount from owed o join operations p on p.id = o.id where o.amount > 0 order by p.settled_at desc, o.id
$$;
