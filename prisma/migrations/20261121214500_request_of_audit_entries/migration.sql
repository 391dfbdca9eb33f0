-- As before, each with the id of the request that asked for it, which its audit entry keeps.
drop function close_case(int, text, text, text, text, text, timestamptz);
drop function end_unprovisioned(int, text, boolean, text, text, timestamptz);
drop function restore_ended(int, text, text, text, timestamptz);
drop function adopt_late_success(int, text, text, text, timestamptz);
drop function settle_unknown(int, text, boolean, text, text, timestamptz);
drop function take_over_provider_facts(int, text, text, text, timestamptz);
drop function decide_top_up(int, boolean, text, text, uuid, timestamptz);
drop function set_low_balance_threshold(int, bigint, text, timestamptz);
drop function disable_webhook_endpoint(int, text, text, timestamptz);

create function close_case(
  p_case_id int, p_fingerprint text, p_resolution text, p_action text, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns reconciliation_cases language plpgsql as $$
declare
  closed reconciliation_cases;
begin
  update reconciliation_cases c set resolved_at = p_now, resolution = p_resolution
   where c.id = p_case_id and c.resolved_at is null and c.fingerprint = p_fingerprint
  returning * into closed;
  if not found then raise exception 'the case is not as it was seen' using errcode = 'LD004'; end if;
  perform write_audit_entry(p_actor, 'reconciliation.' || p_action, closed.reseller_id, 'case:' || closed.id, p_reason,
    jsonb_build_object('kind', closed.kind, 'reference', closed.reference, 'resolution', closed.resolution), p_now,
    p_request_id);
  return closed;
end $$;

-- Charged, not provisioned. p_refund: all that was paid for the present term is given back; otherwise the charge stands.
create function end_unprovisioned(
  p_case_id int, p_fingerprint text, p_refund boolean, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, case when p_refund then 'refunded' else 'adopted' end,
                                            case when p_refund then 'refund' else 'adopt' end, p_actor, p_reason, p_now, p_request_id);
  op record;
  open_sum bigint;
  part bigint;
begin
  perform end_unit(closed, p_now);
  if not p_refund then return; end if;
  -- Nobody else may refund the same charges while they are added up.
  perform from wallets w where w.reseller_id = closed.reseller_id for update;
  open_sum := paid_for_term(closed.license_id);
  for op in
    select o.id, -sum(e.amount) as paid from operations_of_term(closed.license_id) o join ledger_entries e on e.operation_id = o.id
     group by o.id, o.settled_at having sum(e.amount) < 0 order by o.settled_at desc, o.id
  loop
    part := least(op.paid, open_sum);
    exit when part <= 0;
    perform refund_operation(op.id, part, 'case:' || closed.id || ':' || op.id, p_reason, p_actor, null, p_now);
    open_sum := open_sum - part;
  end loop;
end $$;

-- Provisioned, but ended here: it lives again, and what had been given back is charged again.   LD002 too little to spend
create function restore_ended(p_case_id int, p_fingerprint text, p_actor text, p_reason text, p_now timestamptz, p_request_id text)
returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now, p_request_id);
  wanted licenses;
  member licenses;
  op record;
begin
  select * into wanted from licenses where id = closed.license_id for update;
  if not found or wanted.terminated_at is null or wanted.open_operation_id is not null or wanted.updated_at > closed.last_seen_at then
    raise exception 'the license has changed' using errcode = 'LD001';
  end if;
  for member in
    select l.* from licenses l where l.id in (select id from licenses_of_unit(wanted.id)) and l.terminated_at = wanted.terminated_at
     order by l.id for update
  loop
    update licenses set terminated_at = null, updated_at = p_now where id = member.id;
    update bundle_instances set terminated_at = null where id = member.bundle_instance_id;
    perform tell_of_license(member.id, 'license.activated', null, closed.operation_id, p_now);
  end loop;
  perform from wallets w where w.reseller_id = closed.reseller_id for update;
  for op in
    select o.id, o.price + sum(e.amount) as due from operations_of_term(wanted.id) o join ledger_entries e on e.operation_id = o.id
     group by o.id, o.price having o.price + sum(e.amount) > 0 order by o.id
  loop
    perform post_ledger_entry(closed.reseller_id, 'charge', 'revenue', -op.due::bigint, 'case:' || closed.id || ':' || op.id, p_reason,
                              p_actor, op.id, null, p_now);
  end loop;
end $$;

-- The provider did what we had taken to be refused: what the refusal removed is put back, the money is held again, and the
-- operation ends anew, with success, by its own plan.
-- LD002 too little to spend   LD005 the provider holds only a part of it   23P01 the address has another license by now
create function adopt_late_success(p_case_id int, p_fingerprint text, p_actor text, p_reason text, p_now timestamptz, p_request_id text)
returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now, p_request_id);
  op operations;
  other reconciliation_cases;
  names jsonb;
  wanted int;
  found_count int;
begin
  select * into op from operations where id = closed.operation_id and state = 'rejected' for update;
  if not found then raise exception 'the operation is not rejected any more' using errcode = 'LD004'; end if;

  for other in
    select * from reconciliation_cases c
     where c.operation_id = op.id and c.kind = 'late_success' and c.resolved_at is null order by c.id
  loop
    perform close_case(other.id, other.fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now, p_request_id);
  end loop;
  select count(distinct s #>> '{request,reference}') into wanted from jsonb_array_elements(op.plan -> 'steps') s;
  select count(distinct c.reference), jsonb_object_agg(c.reference, c.facts #> '{provider,name}')
    into found_count, names from reconciliation_cases c
   where c.operation_id = op.id and c.kind = 'late_success' and c.resolution = 'adopted' and c.resolved_at = p_now;
  if found_count < wanted then raise exception 'the provider holds only a part' using errcode = 'LD005'; end if;

  insert into bundle_instances (id, bundle_id, reseller_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, auto_renew,
                                open_operation_id)
  select distinct on (b.id) b.id, b.bundle_id, b.reseller_id, b.cycle_id, b.ip_address, b.issued_at, b.anchored_at, b.expires_at,
         b.auto_renew, op.id
    from discarded_registrations d, jsonb_populate_record(null::bundle_instances, d.bundle_instance) b
   where d.operation_id = op.id and d.bundle_instance is not null;
  insert into licenses (id, key, reseller_id, product_id, cycle_id, bundle_instance_id, ip_address, hostname, cores, notes,
                        issued_at, anchored_at, expires_at, suspension_reason, auto_renew, open_operation_id, updated_at)
  select l.id, l.key, l.reseller_id, l.product_id, l.cycle_id, l.bundle_instance_id, l.ip_address, l.hostname, l.cores, l.notes,
         l.issued_at, l.anchored_at, l.expires_at, '', l.auto_renew, op.id, p_now
    from discarded_registrations d, jsonb_populate_record(null::licenses, d.license) l
   where d.operation_id = op.id order by l.product_id;
  delete from discarded_registrations where operation_id = op.id;

  if op.kind not in ('license_register', 'bundle_register') then
    update licenses l set open_operation_id = op.id
      from jsonb_array_elements(op.plan #> '{onSuccess,licenses}') effect
     where l.key = effect ->> 'key' and l.open_operation_id is null and l.terminated_at is null and l.updated_at <= closed.last_seen_at;
    get diagnostics found_count = row_count;
    if found_count < jsonb_array_length(op.plan #> '{onSuccess,licenses}') then
      raise exception 'the license has changed' using errcode = 'LD001';
    end if;
    if op.bundle_instance_id is not null then
      update bundle_instances set open_operation_id = op.id
       where id = op.bundle_instance_id and open_operation_id is null and terminated_at is null;
      if not found then raise exception 'the bundle has changed' using errcode = 'LD001'; end if;
    end if;
  end if;

  update operations set state = 'unknown', settled_at = null where id = op.id;
  update wallets w set held = w.held + op.hold_amount
   where w.reseller_id = op.reseller_id and w.posted - w.held >= op.hold_amount;
  if not found then raise exception 'too little to spend' using errcode = 'LD002'; end if;
  perform settle_operation(op.id, true, null, jsonb_strip_nulls(names), true, p_now);
end $$;

-- An outcome that nobody will tell any more is decided: charged, or released.
create function settle_unknown(
  p_case_id int, p_fingerprint text, p_succeeded boolean, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, case when p_succeeded then 'adopted' else 'refunded' end,
                                            case when p_succeeded then 'adopt' else 'refund' end, p_actor, p_reason, p_now, p_request_id);
begin
  perform from settle_operation(closed.operation_id, p_succeeded, case when not p_succeeded then 'The outcome stayed unknown. The money was released.' end,
                                '{}', true, p_now);
  if not found then raise exception 'the operation has ended' using errcode = 'LD004'; end if;
end $$;

-- Ours becomes what the provider holds.   LD006 the address of a bundle's member   23P01 the address has another license
create function take_over_provider_facts(p_case_id int, p_fingerprint text, p_actor text, p_reason text, p_now timestamptz, p_request_id text)
returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now, p_request_id);
  theirs jsonb := closed.facts -> 'provider';
  differing jsonb := closed.facts -> 'differing';
  ours licenses;
  suspends boolean := theirs ->> 'state' = 'suspended';
begin
  select * into ours from licenses where id = closed.license_id for update;
  if not found or ours.terminated_at is not null or ours.open_operation_id is not null or ours.updated_at > closed.last_seen_at then
    raise exception 'the license has changed' using errcode = 'LD001';
  end if;
  if differing ? 'address' and ours.bundle_instance_id is not null then
    raise exception 'a bundle moves as a whole' using errcode = 'LD006';
  end if;
  update licenses l set
      ip_address = case when differing ? 'address' then theirs ->> 'address' else l.ip_address end,
      cores = case when differing ? 'cores' then (theirs ->> 'cores')::int else l.cores end,
      suspended_at = case when not differing ? 'state' then l.suspended_at when suspends then p_now end,
      suspended_by = case when not differing ? 'state' then l.suspended_by when suspends then 'admin'::suspended_by end,
      suspension_reason = case when not differing ? 'state' then l.suspension_reason when suspends then p_reason else '' end,
      updated_at = p_now
   where l.id = ours.id;
  if differing ? 'address' then
    perform tell_of_license(ours.id, 'license.ip_changed',
      jsonb_build_object('old_ip', ours.ip_address, 'new_ip', theirs ->> 'address'), null, p_now);
  end if;
  if differing ? 'cores' then
    perform tell_of_license(ours.id, 'license.cores_changed',
      jsonb_build_object('old_cores', ours.cores, 'new_cores', theirs -> 'cores'), null, p_now);
  end if;
  if differing ? 'state' then
    perform tell_of_license(ours.id, case when suspends then 'license.suspended' else 'license.unsuspended' end,
      case when suspends then jsonb_build_object('reason', p_reason) end, null, p_now);
  end if;
end $$;

-- Approves or declines a request that nobody has decided yet; approving credits the wallet under its reference.
-- No row: no such request, or decided already   23505 the reference was used before
create function decide_top_up(
  p_top_up_id int,
  p_approve boolean,
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
      decided_by = p_actor, decided_at = p_now, decision_note = p_note
   where t.id = p_top_up_id and t.state = 'requested'
  returning * into request;
  if not found then return; end if;
  if p_approve then
    select * into wallet from wallets w where w.reseller_id = request.reseller_id;
    perform post_ledger_entry(request.reseller_id, 'top_up', 'top_ups', request.amount, request.reference, p_note, p_actor, null,
      jsonb_build_object('id', p_event_id, 'kind', 'wallet.topped_up', 'data', jsonb_build_object(
        'amount', to_major(request.amount, wallet.minor_digits), 'currency', wallet.currency)),
      p_now, request.method);
  end if;
  perform write_audit_entry(p_actor, 'wallet.decide_top_up', request.reseller_id, 'top_up_request:' || request.id, p_note,
    jsonb_build_object('state', request.state, 'amount', request.amount::text, 'reference', request.reference), p_now,
    p_request_id);
  return next request;
end $$;

-- Sets from where on a reseller is told that its balance is low (null: never), and tells it at once if it is.
create function set_low_balance_threshold(p_reseller_id int, p_threshold bigint, p_actor text, p_now timestamptz, p_request_id text)
returns setof wallets language plpgsql as $$
declare
  wallet wallets;
begin
  update wallets w set
      low_balance_threshold = p_threshold,
      low_balance_told_at = case when p_threshold is null then null else w.low_balance_told_at end
   where w.reseller_id = p_reseller_id
  returning * into wallet;
  if not found then return; end if;
  perform tell_low_balance(wallet, p_now);
  perform write_audit_entry(p_actor, 'wallet.set_low_balance_threshold', p_reseller_id, 'wallet:' || wallet.id, '',
                            jsonb_build_object('threshold', p_threshold::text), p_now, p_request_id);
  return next wallet;
end $$;

-- Ends an endpoint that is gone or does not work, once; what waits for it is discarded. False: it was disabled before.
create function disable_webhook_endpoint(p_endpoint_id int, p_reason text, p_actor text, p_now timestamptz, p_request_id text)
returns boolean language plpgsql as $$
declare
  endpoint webhook_endpoints;
begin
  update webhook_endpoints e set disabled_at = p_now, disabled_reason = p_reason, updated_at = p_now
   where e.id = p_endpoint_id and e.disabled_at is null returning * into endpoint;
  if not found then return false; end if;
  update webhook_deliveries d set state = 'discarded'
   where d.endpoint_id = endpoint.id and d.state = 'pending' and (d.lease_until is null or d.lease_until <= p_now);
  perform write_audit_entry(p_actor, 'webhook.disable', endpoint.reseller_id, 'webhook_endpoint:' || endpoint.id, p_reason,
                            jsonb_build_object('url', endpoint.url, 'first_failed_at', endpoint.first_failed_at), p_now,
                            p_request_id, endpoint.url);
  return true;
end $$;
