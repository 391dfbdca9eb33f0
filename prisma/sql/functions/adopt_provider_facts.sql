-- Resolves a case by copying the provider's address, cores, state or term to our license and emitting the events. Refunds
-- the charge for time that the provider does not provide. Cores are credited by a separate operation.
--   p_term           {anchoredAt, expiresAt} of the license and its whole bundle; null leaves the term
--   p_siblings       [{id, fingerprint}]: the cases of the bundle's other members, resolved with it
--   p_refund_until   end of the provider's term; null refunds nothing
--   p_refund         what the admin agreed to refund
--   p_tolerance      largest distance between the two ends that is not a difference
--   p_price_cap      most that remains agreed to and announced of the next renewal's price; null leaves both
-- Raises LD001 if a license has changed or has an operation in flight, LD004 if a case is no longer as the admin saw it,
-- LD006 if the address of a bundle member differs, LD008 if the refund is not p_refund, 23P01 if another live license has the address.
create or replace function adopt_provider_facts(
  p_case_id int, p_fingerprint text, p_term jsonb, p_siblings jsonb, p_refund_until timestamptz, p_refund bigint,
  p_tolerance interval, p_price_cap bigint, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  resolution text := case when p_refund_until is null then 'adopted' else 'refunded' end;
  action text := case when p_refund_until is null then 'adopt' else 'refund' end;
  -- Before the first one is closed: two admins may take over one bundle by the cases of different members.
  locked int[] := array(select c.id from reconciliation_cases c
                         where c.id = p_case_id or c.id in (select (s ->> 'id')::int from jsonb_array_elements(p_siblings) s)
                         order by c.id for no key update);
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, resolution, action, p_actor, p_reason, p_now, p_request_id);
  theirs jsonb := closed.facts -> 'provider';
  differing jsonb := closed.facts -> 'differing';
  ends_at timestamptz := (p_term ->> 'expiresAt')::timestamptz;
  ours licenses;
  member licenses;
  sibling jsonb;
  owed jsonb := case when p_refund_until is not null then
    (select jsonb_agg(jsonb_build_object('operation_id', u.operation_id, 'amount', u.amount))
       from unprovided_charges(closed.license_id, p_refund_until, p_tolerance) u) end;
  part record;
  refunded bigint := 0;
  suspends boolean := theirs ->> 'state' = 'suspended';
  takes_cores boolean := differing ? 'cores' and p_refund_until is null;
begin
  for sibling in select value from jsonb_array_elements(p_siblings) loop
    perform close_case((sibling ->> 'id')::int, sibling ->> 'fingerprint', resolution, action, p_actor, p_reason, p_now, p_request_id);
  end loop;
  perform lock_unit(closed.license_id);
  for member in
    select l.* from licenses l
     where l.id = closed.license_id or p_term is not null and l.id in (select id from licenses_of_unit(closed.license_id))
     order by l.id
  loop
    if member.open_operation_id is not null or member.updated_at > closed.last_seen_at then
      raise exception 'license % has changed', member.id using errcode = 'LD001';
    end if;
    if member.id = closed.license_id then ours := member; end if;
    continue when p_term is null or member.terminated_at is not null;
    -- A term that the provider has not renewed can be renewed automatically once more.
    if ends_at < member.expires_at then
      with renewals as materialized (
        select o.id from operations o
         where o.reseller_id = member.reseller_id and o.state = 'succeeded' and o.plan #>> '{facts,renewsTerm}' is not null
           and (o.license_id = member.id or o.bundle_instance_id = member.bundle_instance_id)
           and substring(o.plan #>> '{facts,renewsTerm}' from '^[a-z]+:[0-9]+:(.*)$')::timestamptz >= ends_at - p_tolerance
         order by o.id for no key update
      )
      update operations o set plan = o.plan #- '{facts,renewsTerm}' from renewals r where o.id = r.id and o.reseller_id = member.reseller_id;
    end if;
    update licenses set anchored_at = (p_term ->> 'anchoredAt')::timestamptz, expires_at = ends_at, updated_at = p_now
     where id = member.id;
    update bundle_instances set anchored_at = (p_term ->> 'anchoredAt')::timestamptz, expires_at = ends_at
     where id = member.bundle_instance_id and expires_at <> ends_at;
    perform emit_license_event(member.id, case when ends_at > member.expires_at then 'license.renewed' else 'license.updated' end,
      jsonb_build_object('expires_at', to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')), null, p_now);
    perform emit_past_expiry(member.id, p_now);
  end loop;
  if ours.id is null or ours.terminated_at is not null then
    raise exception 'the license has changed' using errcode = 'LD001';
  end if;
  if differing ? 'address' and ours.bundle_instance_id is not null then
    raise exception 'a bundle changes its address as a whole' using errcode = 'LD006';
  end if;
  if ours.bundle_instance_id is not null and ends_at > ours.expires_at then
    insert into events (id, reseller_id, kind, data, bundle_instance_id, occurred_at)
    values (gen_random_uuid(), ours.reseller_id, 'bundle.renewed',
            jsonb_build_object('bundle_instance_id', ours.bundle_instance_id,
                               'expires_at', to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
            ours.bundle_instance_id, p_now);
  end if;
  update licenses l set
      ip_address = case when differing ? 'address' then theirs ->> 'address' else l.ip_address end,
      cores = case when takes_cores then (theirs ->> 'cores')::int else l.cores end,
      agreed_renewal_price = case when l.agreed_renewal_price is not null then least(l.agreed_renewal_price, p_price_cap) end,
      announced_renewal_price = case when l.announced_renewal_price is not null then least(l.announced_renewal_price, p_price_cap) end,
      suspended_at = case when not differing ? 'state' then l.suspended_at when suspends then p_now end,
      suspended_by = case when not differing ? 'state' then l.suspended_by when suspends then 'admin'::suspended_by end,
      suspension_reason = case when not differing ? 'state' then l.suspension_reason when suspends then p_reason else '' end,
      updated_at = p_now
   where l.id = ours.id;
  update bundle_instances b set
      agreed_renewal_price = case when b.agreed_renewal_price is not null then least(b.agreed_renewal_price, p_price_cap) end,
      announced_renewal_price = case when b.announced_renewal_price is not null then least(b.announced_renewal_price, p_price_cap) end
   where b.id = ours.bundle_instance_id and p_price_cap is not null;
  if differing ? 'address' then
    perform emit_license_event(ours.id, 'license.ip_changed',
      jsonb_build_object('old_ip', ours.ip_address, 'new_ip', theirs ->> 'address'), null, p_now);
  end if;
  if takes_cores then
    perform emit_license_event(ours.id, 'license.cores_changed',
      jsonb_build_object('old_cores', ours.cores, 'new_cores', theirs -> 'cores'), null, p_now);
  end if;
  if differing ? 'state' then
    perform emit_license_event(ours.id, case when suspends then 'license.suspended' else 'license.unsuspended' end,
      case when suspends then jsonb_build_object('reason', p_reason) end, null, p_now);
  end if;
  if p_refund_until is null then return; end if;
  -- Blocks concurrent refunds of the same charges while they are added up.
  perform from wallets w where w.reseller_id = closed.reseller_id for update;
  for part in select * from jsonb_to_recordset(owed) as (operation_id uuid, amount bigint) loop
    part.amount := least(part.amount, charge_left(part.operation_id, closed.reseller_id));
    continue when part.amount <= 0;
    perform refund_operation(part.operation_id, part.amount, 'case:' || closed.id || ':' || part.operation_id, p_reason, p_actor,
                             null, p_now);
    refunded := refunded + part.amount;
  end loop;
  if refunded <> p_refund then raise exception 'the amount has changed' using errcode = 'LD008'; end if;
end $$;
