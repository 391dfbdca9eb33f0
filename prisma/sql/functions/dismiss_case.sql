-- Resolves a case without a change. Writes its license, so that an operation that was planned on its version is refused.
-- Raises LD001 if the license has changed since the comparison or has an operation in flight, LD004 if the case is no longer
-- as the admin saw it.
create or replace function dismiss_case(
  p_case_id int, p_fingerprint text, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, 'dismissed', 'dismiss', p_actor, p_reason, p_now, p_request_id);
begin
  update licenses l set updated_at = l.updated_at
   where l.id = closed.license_id and l.open_operation_id is null and l.updated_at <= closed.last_seen_at;
  if not found and exists (select from licenses l where l.id = closed.license_id) then
    raise exception 'the license has changed' using errcode = 'LD001';
  end if;
end $$;
