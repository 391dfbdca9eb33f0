-- Resolves a case in which a license was charged but not provisioned: terminates it, and refunds everything paid for
-- the present term and the time after it if p_refund is set.
-- Raises LD001 if the license has changed or has an operation in flight, LD004 if the case is no longer as the admin
-- saw it.
create or replace function end_unprovisioned(
  p_case_id int, p_fingerprint text, p_refund boolean, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, case when p_refund then 'refunded' else 'adopted' end,
                                            case when p_refund then 'refund' else 'adopt' end, p_actor, p_reason, p_now, p_request_id);
  part record;
begin
  perform end_unit(closed, p_now);
  if not p_refund then return; end if;
  -- Blocks concurrent refunds of the same charges while they are added up.
  perform from wallets w where w.reseller_id = closed.reseller_id for update;
  for part in select * from charges_of_term(closed.license_id, p_now) loop
    perform refund_operation(part.operation_id, part.amount, 'case:' || closed.id || ':' || part.operation_id, p_reason, p_actor, null, p_now);
  end loop;
end $$;
