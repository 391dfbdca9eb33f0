-- Returns the operations that paid for the present term of a license or its bundle and for the time after it, newest first:
-- the last successful registration or renewal whose time has begun at p_at, and every successful one since; all of an
-- imported license whose first renewal has not begun. For a terminated license its termination replaces p_at. Looks up
-- license and bundle separately: an `or` would scan all operations.
-- Raises nothing.
create or replace function operations_of_term(p_license_id int, p_at timestamptz) returns setof operations
language sql stable rows 10 as $$
  with unit as (
    select id, bundle_instance_id, terminated_at from licenses_of_unit(p_license_id)
  ), about as (
    select o.id from unit join operations o on o.license_id = unit.id
    union
    select o.id from unit join operations o on o.bundle_instance_id = unit.bundle_instance_id
  ), done as (
    select o.* from about join operations o on o.id = about.id where o.state = 'succeeded'
  )
  select * from done
   where settled_at >= coalesce((select max(d.settled_at) from done d
                                  where d.kind in ('license_register', 'license_renew', 'bundle_register', 'bundle_renew')
                                    and bought_from(d) <= (select coalesce(terminated_at, p_at) from unit where id = p_license_id)),
                                '-infinity')
   order by settled_at desc, created_at desc
$$;
