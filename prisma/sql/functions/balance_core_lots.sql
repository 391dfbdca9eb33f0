-- Guarantees that in each paid term ahead, the live lots of a core-metered license add up to its cores beyond the first.
-- Operations balance them by plan; this covers every other change, without money: added cores get a lot of amount 0,
-- removed cores leave the newest lots without a credit.
-- Raises nothing.
create or replace function balance_core_lots(p_license_id int) returns void language plpgsql as $$
declare
  license licenses;
  term record;
  lot record;
  surplus int;
begin
  select * into license from licenses l where l.id = p_license_id and l.cores is not null and l.provisioned_at is not null;
  if not found then return; end if;
  for term in select * from paid_terms_ahead(license.id, license.updated_at) loop
    select coalesce(sum(l.cores - used.removed_cores), 0) - (license.cores - 1) into surplus
      from core_lots l cross join lateral core_lot_use(l.id) used where l.paid_term_id = term.id;
    if surplus < 0 then
      insert into core_lots (license_id, reseller_id, paid_term_id, cores, starts_at, ends_at, amount)
      values (license.id, license.reseller_id, term.id, -surplus, greatest(term.starts_at, license.updated_at), term.ends_at, 0);
    end if;
    for lot in
      select l.id, l.starts_at, l.cores - used.removed_cores as live
        from core_lots l cross join lateral core_lot_use(l.id) used
       where l.paid_term_id = term.id and l.cores > used.removed_cores order by l.id desc
    loop
      exit when surplus <= 0;
      insert into core_credits (lot_id, reseller_id, cores, credited_from, amount)
      values (lot.id, license.reseller_id, least(surplus, lot.live), greatest(lot.starts_at, license.updated_at), 0);
      surplus := surplus - least(surplus, lot.live);
    end loop;
  end loop;
end $$;
