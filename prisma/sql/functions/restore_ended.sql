-- Resolves a case in which the provider still holds a license that we ended: reactivates it with its bundle, and
-- charges again what was refunded.
--   p_charge   what the admin agreed to charge
-- Raises LD001 if the license has changed or has an operation in flight, or its product has moved to another provider
-- or code, LD002 if the funds are insufficient, LD004 if the case is no longer as the admin saw it, LD008 if the charge is not
-- p_charge, 23P01 if another live license has the address.
create or replace function restore_ended(
  p_case_id int, p_fingerprint text, p_charge bigint, p_actor text, p_reason text, p_now timestamptz, p_request_id text
) returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now, p_request_id);
  wanted licenses;
  member licenses;
  op record;
  due bigint;
  spendable bigint;
begin
  perform lock_unit(closed.license_id);
  select * into wanted from licenses where id = closed.license_id;
  if not found or wanted.terminated_at is null or wanted.open_operation_id is not null or wanted.updated_at > closed.last_seen_at then
    raise exception 'the license has changed' using errcode = 'LD001';
  end if;
  for member in
    select * from licenses_of_unit(wanted.id) where terminated_at = wanted.terminated_at order by id
  loop
    perform from products p
      where p.id = member.product_id and p.provider = closed.provider
        and (member.id <> wanted.id or p.provider_sku = coalesce(closed.facts #>> '{provider,product}', p.provider_sku))
        for key share;
    if not found then raise exception 'the product has moved' using errcode = 'LD001'; end if;
    update licenses set terminated_at = null, external_id = free_external_id(member), updated_at = p_now where id = member.id;
    update bundle_instances set terminated_at = null where id = member.bundle_instance_id;
    perform emit_license_event(member.id, 'license.activated', null, closed.operation_id, p_now);
    perform emit_past_expiry(member.id, p_now);
  end loop;
  select w.posted - w.held into strict spendable from wallets w where w.reseller_id = closed.reseller_id for update;
  -- Checked as a whole, so that the error has the full amount.
  select coalesce(sum(r.amount), 0) into due from refunded_for_term(wanted.id, wanted.terminated_at) r;
  if due <> p_charge then raise exception 'the amount has changed' using errcode = 'LD008'; end if;
  if due > spendable then perform refuse_short_wallet(closed.reseller_id, due, null); end if;
  for op in
    select r.operation_id as id, r.amount as due from refunded_for_term(wanted.id, wanted.terminated_at) r order by r.operation_id
  loop
    perform post_ledger_entry(closed.reseller_id, 'charge', 'revenue', -op.due, 'case:' || closed.id || ':' || op.id, p_reason,
                              p_actor, op.id, null, p_now);
  end loop;
end $$;
