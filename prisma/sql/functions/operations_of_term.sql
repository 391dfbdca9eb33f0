-- Returns the operations of the current term of a license or its bundle, newest first: the last successful registration
-- or renewal and every successful one since. Looks up license and bundle separately: an `or` would scan all operations.
-- Raises nothing.
create or replace function operations_of_term(p_license_id int) returns setof operations language sql stable rows 10 as $$
  with unit as (
    select id, bundle_instance_id from licenses_of_unit(p_license_id)
  ), about as (
    select o.id from unit join operations o on o.license_id = unit.id
    union
    select o.id from unit join operations o on o.bundle_instance_id = unit.bundle_instance_id
  ), done as (
    select o.* from about join operations o on o.id = about.id where o.state = 'succeeded'
  )
  select * from done
   where settled_at >= (select max(settled_at) from done
                         where kind in ('license_register', 'license_renew', 'bundle_register', 'bundle_renew'))
   order by settled_at desc, created_at desc
$$;
