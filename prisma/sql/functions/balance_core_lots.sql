-- Guarantees that in each paid term ahead, the live lots of a core-metered license add up to its cores beyond the first.
-- Operations balance them by plan; this covers every other change, without money: added cores get a lot of amount 0,
-- removed cores leave the newest lots without a credit. Call it after the credits of the change are counted
-- (count_removed_cores).
-- Raises nothing.
create or replace function balance_core_lots(p_license_id int) returns void language plpgsql as $$
declare
  license licenses;
  credited int[];
begin
  select * into license from licenses l where l.id = p_license_id and l.cores is not null and l.provisioned_at is not null;
  if not found then return; end if;
  insert into core_lots (license_id, reseller_id, paid_term_id, cores, starts_at, ends_at, amount)
  select license.id, license.reseller_id, term.id, license.cores - 1 - live.cores, greatest(term.starts_at, license.updated_at), term.ends_at, 0
    from paid_terms_ahead(license.id, license.updated_at) term
   cross join lateral (select coalesce(sum(l.cores - l.removed_cores), 0)::int as cores
                         from core_lots l where l.paid_term_id = term.id and l.removed_cores < l.cores) live
   where live.cores < license.cores - 1
   order by term.id;
  with credits as (
    insert into core_credits (lot_id, reseller_id, cores, credited_from, amount)
    select live.id, license.reseller_id, least(live.cores, live.total - (license.cores - 1)), greatest(live.starts_at, license.updated_at), 0
      from (select l.id, l.starts_at, l.cores - l.removed_cores as cores,
                   sum(l.cores - l.removed_cores) over (partition by term.id order by l.id)::int as total
              from paid_terms_ahead(license.id, license.updated_at) term
              join core_lots l on l.paid_term_id = term.id and l.removed_cores < l.cores) live
     where live.total > license.cores - 1
     order by live.id desc
    returning lot_id
  )
  select array_agg(c.lot_id) into credited from credits c;
  if credited is not null then perform count_removed_cores(credited); end if;
end $$;
