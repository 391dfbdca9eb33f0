-- Terminates a license that the provider does not hold, together with all members of its bundle.
-- Raises LD001 if a license has changed since the comparison or has an operation in flight, or if all have ended.
create or replace function end_unit(p_case reconciliation_cases, p_now timestamptz) returns void language plpgsql as $$
declare
  member licenses;
  ended int := 0;
begin
  perform lock_unit(p_case.license_id);
  for member in
    select * from licenses_of_unit(p_case.license_id) order by id
  loop
    if member.open_operation_id is not null or member.updated_at > p_case.last_seen_at then
      raise exception 'license % has changed', member.id using errcode = 'LD001';
    end if;
    continue when member.terminated_at is not null;
    update licenses set terminated_at = p_now, updated_at = p_now where id = member.id;
    update bundle_instances set terminated_at = p_now where id = member.bundle_instance_id and terminated_at is null;
    perform emit_license_event(member.id, 'license.terminated', null, p_case.operation_id, p_now);
    ended := ended + 1;
  end loop;
  if ended = 0 then raise exception 'the license has already ended' using errcode = 'LD001'; end if;
end $$;
