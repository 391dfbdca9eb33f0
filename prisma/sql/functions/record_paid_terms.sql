-- Trigger: records the paid terms of a core-metered license, one for each cycle that it has when the provider confirms it
-- and one for each extension.
-- Raises nothing.
create or replace function record_paid_terms() returns trigger language plpgsql as $$
declare
  cycle_months int := (select c.months from billing_cycles c
                        where c.id = coalesce(new.cycle_id, (select b.cycle_id from bundle_instances b where b.id = new.bundle_instance_id and b.reseller_id = new.reseller_id)));
begin
  if exists (select from paid_terms t where t.license_id = new.id and t.reseller_id = new.reseller_id) then
    insert into paid_terms (license_id, reseller_id, months, starts_at, ends_at)
    select new.id, new.reseller_id, cycle_months, greatest(old.expires_at, new.anchored_at), new.expires_at
     where new.expires_at > greatest(old.expires_at, new.anchored_at);
    return null;
  end if;
  insert into paid_terms (license_id, reseller_id, months, starts_at, ends_at)
  select new.id, new.reseller_id, cycle_months, term.starts_at, least(term.ends_at, new.expires_at)
    from (select (new.anchored_at at time zone 'UTC' + make_interval(months => number * cycle_months)) at time zone 'UTC' as starts_at,
                 (new.anchored_at at time zone 'UTC' + make_interval(months => (number + 1) * cycle_months)) at time zone 'UTC' as ends_at
            from generate_series(0, (extract(year from new.expires_at) - extract(year from new.anchored_at) + 1)::int * 12 / cycle_months) number) term
   where term.starts_at < new.expires_at
   order by term.starts_at;
  return null;
end $$;
