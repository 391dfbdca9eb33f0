-- Resolves a case in which a license was charged but not provisioned: terminates it, and refunds everything paid for
-- the present term and the time after it.
--   p_refund   what the admin agreed to refund; null refunds nothing
-- Raises LD001 if the license has changed or has an operation in flight, LD004 if the case is no longer as the admin
-- saw it, LD008 if the refund is not p_refund.
create or replace function end_unprovisioned(
  p_case_id int, p_fingerprint text, p_refund bigint, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, case when p_refund is null then 'adopted' else 'refunded' end,
                                            case when p_refund is null then 'adopt' else 'refund' end, p_actor, p_reason, p_now, p_request_id);
  part record;
  refunded bigint := 0;
begin
  perform end_unit(closed, p_now);
  if p_refund is null then return; end if;
  -- Blocks concurrent refunds of the same charges while they are added up.
  perform from wallets w where w.reseller_id = closed.reseller_id for update;
  for part in select * from charges_of_term(closed.license_id, p_now) loop
    perform refund_operation(part.operation_id, part.amount, 'case:' || closed.id || ':' || part.operation_id, p_reason, p_actor, null, p_now);
    refunded := refunded + part.amount;
  end loop;
  if refunded <> p_refund then raise exception 'the amount has changed' using errcode = 'LD008'; end if;
end $$;
