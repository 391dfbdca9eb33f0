-- The external id of a license that is restored; null if the reseller has meanwhile given it to another license.
-- Raises nothing.
create or replace function free_external_id(p_license licenses) returns text language sql stable as $$
  select p_license.external_id
   where not exists (select from licenses l
                      where l.reseller_id = p_license.reseller_id and l.external_id = p_license.external_id
                        and l.terminated_at is null)
$$;
