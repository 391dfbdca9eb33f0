-- Resolves a case about an unknown outcome: settles the operation as charged or released.
-- Raises LD004 if the case is no longer as the admin saw it or the operation has already ended.
create or replace function settle_unknown(
  p_case_id int, p_fingerprint text, p_succeeded boolean, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  token uuid := gen_random_uuid();
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, case when p_succeeded then 'adopted' else 'refunded' end,
                                            case when p_succeeded then 'adopt' else 'refund' end, p_actor, p_reason, p_now, p_request_id);
  reseller int;
begin
  -- Fences a process that is asking the provider now.
  update operations set lease_token = token where id = closed.operation_id and settled_at is null
  returning reseller_id into reseller;
  perform from settle_operations(jsonb_build_array(jsonb_build_object(
    'place', 0, 'id', closed.operation_id, 'resellerId', reseller, 'token', token, 'succeeded', p_succeeded,
    'failureMessage', case when not p_succeeded then 'The outcome remained unknown. The money was released.' end,
    'reconciled', true, 'now', p_now)));
  if not found then
    raise exception 'the operation has ended' using errcode = 'LD004';
  end if;
end $$;
