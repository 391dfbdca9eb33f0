-- Approves or declines an open top-up request. Approval credits the wallet under the request's reference, by the requested
-- amount unless another is given.
-- Returns no row if the request does not exist or is already decided.
-- Raises 23505 if the wallet already has an entry with the reference.
create or replace function decide_top_up(
  p_top_up_id int,
  p_approve boolean,
  p_amount bigint,
  p_note text,
  p_actor text,
  p_event_id uuid,
  p_now timestamptz,
  p_request_id text
) returns setof top_up_requests language plpgsql as $$
declare
  request top_up_requests;
  wallet wallets;
begin
  update top_up_requests t set
      state = case when p_approve then 'approved' else 'declined' end::top_up_request_state,
      credited_amount = case when p_approve then coalesce(p_amount, t.amount) end,
      decided_by = p_actor, decided_at = p_now, decision_note = p_note
   where t.id = p_top_up_id and t.state = 'requested'
  returning * into request;
  if not found then return; end if;
  if p_approve then
    select * into wallet from wallets w where w.reseller_id = request.reseller_id;
    perform post_ledger_entry(request.reseller_id, 'top_up', 'top_ups', request.credited_amount, request.reference, p_note, p_actor, null,
      jsonb_build_object('id', p_event_id, 'kind', 'wallet.topped_up', 'data', jsonb_build_object(
        'amount', to_major(request.credited_amount, wallet.minor_digits), 'currency', wallet.currency)),
      p_now, request.method);
  end if;
  perform write_audit_entry(p_actor, 'wallet.decide_top_up', request.reseller_id, 'top_up_request:' || request.id, p_note,
    jsonb_build_object('state', request.state, 'amount', request.amount::text, 'credited', request.credited_amount::text,
                       'reference', request.reference), p_now,
    p_request_id);
  return next request;
end $$;
