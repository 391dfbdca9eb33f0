-- Resolves an open reconciliation case and writes the audit entry. Every admin action on a case starts with this call,
-- so the case, its effects and the audit entry commit together or not at all.
--   p_fingerprint   the case as the admin saw it
-- Raises LD004 if the case is already resolved or a newer comparison changed it.
create or replace function close_case(
  p_case_id int, p_fingerprint text, p_resolution text, p_action text, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns reconciliation_cases language plpgsql as $$
declare
  closed reconciliation_cases;
begin
  update reconciliation_cases c set resolved_at = p_now, resolution = p_resolution
   where c.id = p_case_id and c.resolved_at is null and c.fingerprint = p_fingerprint
  returning * into closed;
  if not found then raise exception 'the case has changed' using errcode = 'LD004'; end if;
  perform write_audit_entry(p_actor, 'reconciliation.' || p_action, closed.reseller_id, 'case:' || closed.id, p_reason,
    jsonb_build_object('kind', closed.kind, 'reference', closed.reference, 'resolution', closed.resolution), p_now,
    p_request_id);
  return closed;
end $$;
