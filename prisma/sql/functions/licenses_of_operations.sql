-- Returns the ids of the licenses that operations may have open: their own, and all members of their bundles. No index has
-- `open_operation_id`, so that starting and ending an operation writes no index entry.
--   p_operations   [{license_id, bundle_instance_id}]
-- Raises nothing.
create or replace function licenses_of_operations(p_operations jsonb) returns int[] language plpgsql stable as $$
declare
  ids int[] := array(select o.license_id from jsonb_to_recordset(p_operations) as o (license_id int) where o.license_id is not null);
begin
  if p_operations @? '$[*] ? (@.bundle_instance_id != null)' then
    ids := ids || array(select m.id from jsonb_to_recordset(p_operations) as o (bundle_instance_id int)
                          join licenses m on m.bundle_instance_id = o.bundle_instance_id);
  end if;
  return ids;
end $$;
