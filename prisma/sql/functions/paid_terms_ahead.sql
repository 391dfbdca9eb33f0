-- Returns the paid terms of a license that have not ended, oldest first. A term ends early (`ends_at`, not `paid_until`)
-- where any later one starts or the license ends.
-- Raises nothing.
create or replace function paid_terms_ahead(p_license_id int, p_now timestamptz)
returns table (id int, months int, starts_at timestamptz, ends_at timestamptz, paid_until timestamptz) language sql stable as $$
  select term.id, term.months, term.starts_at, term.ends_at, term.paid_until
    from (select t.id, t.months, t.starts_at, t.ends_at as paid_until,
                 least(t.ends_at, min(t.starts_at) over (order by t.id desc rows between unbounded preceding and 1 preceding), l.expires_at) as ends_at
            from paid_terms t join licenses l on l.id = t.license_id where t.license_id = p_license_id) term
   where term.ends_at > greatest(term.starts_at, p_now)
   order by term.id
$$;
