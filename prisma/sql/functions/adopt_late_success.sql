-- Adopts a registration or change that the provider carried out after we recorded a rejection: restores the rows that
-- the rejection removed, places the hold again, and settles the operation as succeeded by its own plan. Closes every
-- open late_success case of the operation. If the API key that started it has a spending limit by now, it counts.
-- Raises LD001 if the license, bundle or a lot has changed or has an operation in flight, or a product has moved to
-- another provider or code, LD002 if the funds are insufficient, LD004 if the case or the operation is no longer as the admin saw
-- it, LD005 if the provider holds only part of the operation, 23P01 if another live license has the address.
create or replace function adopt_late_success(p_case_id int, p_fingerprint text, p_actor text, p_reason text, p_now timestamptz, p_request_id text)
returns void language plpgsql as $$
declare
  closed reconciliation_cases;
  op operations;
  token uuid := gen_random_uuid();
  other reconciliation_cases;
  names jsonb;
  wanted int;
  found_count int;
begin
  -- Two admins may adopt one operation by different cases.
  perform from reconciliation_cases c
    where c.operation_id = (select a.operation_id from reconciliation_cases a where a.id = p_case_id)
      and c.kind = 'late_success' and c.resolved_at is null
    order by c.id for no key update;
  closed := close_case(p_case_id, p_fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now, p_request_id);
  -- First, as in `lock_holds`: `set_spending_limit` does not count rejected operations.
  perform from operations o join api_keys k on k.id = substring(o.actor from '^key:([0-9]+)$')::int
    where o.id = closed.operation_id for key share of k;
  select * into op from operations where id = closed.operation_id and state = 'rejected' for update;
  if not found then raise exception 'the operation is no longer rejected' using errcode = 'LD004'; end if;

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
  if found_count < wanted then raise exception 'the provider holds only part of the operation' using errcode = 'LD005'; end if;

  insert into bundle_instances (id, bundle_id, reseller_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, auto_renew,
                                agreed_renewal_price, announced_renewal_price, renewal_price_announced_at)
  select distinct on (b.id) b.id, b.bundle_id, b.reseller_id, b.cycle_id, b.ip_address, b.issued_at, b.anchored_at, b.expires_at,
         b.auto_renew, b.agreed_renewal_price, b.announced_renewal_price, b.renewal_price_announced_at
    from discarded_registrations d, jsonb_populate_record(null::bundle_instances, d.bundle_instance) b
   where d.operation_id = op.id and d.bundle_instance is not null;
  insert into licenses (id, key, reseller_id, product_id, cycle_id, bundle_instance_id, ip_address, hostname, cores, notes,
                        customer_name, customer_email, customer_reference, tags, external_id, issued_at, anchored_at, expires_at,
                        auto_renew, agreed_renewal_price, announced_renewal_price, renewal_price_announced_at, open_operation_id,
                        updated_at)
  select l.id, l.key, l.reseller_id, l.product_id, l.cycle_id, l.bundle_instance_id, l.ip_address, l.hostname, l.cores, l.notes,
         l.customer_name, l.customer_email, l.customer_reference, l.tags, free_external_id(l), l.issued_at, l.anchored_at,
         l.expires_at, l.auto_renew, l.agreed_renewal_price, l.announced_renewal_price, l.renewal_price_announced_at, op.id, p_now
    from discarded_registrations d, jsonb_populate_record(null::licenses, d.license) l
   where d.operation_id = op.id order by l.product_id;
  delete from discarded_registrations where operation_id = op.id;

  if op.kind not in ('license_register', 'bundle_register') then
    -- In the order of `lock_holds`. A bundle's operation names all of its members: they are open and end with it.
    perform from bundle_instances b
      where b.id = coalesce(op.bundle_instance_id, (select l.bundle_instance_id from licenses l where l.id = op.license_id))
        for no key update;
    perform from licenses l where l.key in (select e ->> 'key' from jsonb_array_elements(op.plan #> '{onSuccess,licenses}') e)
      order by l.id for no key update;
    update licenses l set open_operation_id = op.id
      from jsonb_array_elements(op.plan #> '{onSuccess,licenses}') effect
     where l.key = effect ->> 'key' and l.open_operation_id is null and l.terminated_at is null and l.updated_at <= closed.last_seen_at;
    get diagnostics found_count = row_count;
    if found_count < jsonb_array_length(op.plan #> '{onSuccess,licenses}') then
      raise exception 'the license has changed' using errcode = 'LD001';
    end if;
  end if;

  perform from licenses l
     join products p on p.id = l.product_id
     left join jsonb_array_elements(op.plan -> 'steps') s on s #>> '{request,reference}' = l.key
    where l.id = any (licenses_of_operations(jsonb_build_array(to_jsonb(op)))) and l.open_operation_id = op.id
      and (p.provider <> closed.provider or p.provider_sku <> s #>> '{request,product}');
  if found then raise exception 'the product has moved' using errcode = 'LD001'; end if;

  update operations o set
      state = 'unknown', settled_at = null, lease_token = token,
      spending_key_id = coalesce(o.spending_key_id,
                                 (select coalesce(k.first_id, k.id) from api_keys k
                                   where k.id = substring(o.actor from '^key:([0-9]+)$')::int and k.spending_limit is not null))
    where o.id = op.id;
  loop
    update wallets w set held = w.held + op.hold_amount
     where w.reseller_id = op.reseller_id and w.posted - w.held >= op.hold_amount;
    exit when found;
    perform refuse_short_wallet(op.reseller_id, op.hold_amount, op.currency);
  end loop;
  -- The rejection voided its credits, so other operations may have used those lots since.
  if op.plan ? 'coreCredits' then perform require_core_credits(op); end if;
  perform settle_operations(jsonb_build_array(jsonb_build_object(
    'place', 0, 'id', op.id, 'resellerId', op.reseller_id, 'token', token, 'succeeded', true, 'references', jsonb_strip_nulls(names),
    'reconciled', true, 'now', p_now)));
  perform emit_past_expiry(l.id, p_now) from licenses l
    where l.key in (select e ->> 'key' from jsonb_array_elements(op.plan #> '{onSuccess,licenses}') e);
end $$;
