-- Locks a license's bundle, then the license and all members of the bundle, in the order of `lock_holds`.
-- Raises nothing.
create or replace function lock_unit(p_license_id int) returns void language plpgsql as $$
begin
  perform from bundle_instances b where b.id = (select l.bundle_instance_id from licenses l where l.id = p_license_id) for no key update;
  perform from licenses l where l.id in (select u.id from licenses_of_unit(p_license_id) u) order by l.id for no key update;
end $$;
