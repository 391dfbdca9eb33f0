-- Returns the licenses that are bought and ended together: the license itself, or all members of its bundle.
-- Raises nothing.
create or replace function licenses_of_unit(p_license_id int) returns setof licenses language sql stable as $$
  select m.* from licenses l join licenses m on m.id = l.id or m.bundle_instance_id = l.bundle_instance_id
   where l.id = p_license_id order by m.id
$$;
