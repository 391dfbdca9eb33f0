-- AlterTable
ALTER TABLE "reconciliation_cases" ADD COLUMN     "fingerprint" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "provider_comparisons" (
    "id" SERIAL NOT NULL,
    "provider" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "held_count" INTEGER NOT NULL DEFAULT 0,
    "license_count" INTEGER NOT NULL DEFAULT 0,
    "difference_count" INTEGER NOT NULL DEFAULT 0,
    "failure_message" TEXT,

    CONSTRAINT "provider_comparisons_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "compared_book_entries" (
    "comparison_id" INTEGER NOT NULL,
    "reference" TEXT NOT NULL,
    "provider_reference" TEXT,
    "product" TEXT NOT NULL,
    "ip_address" TEXT,
    "cores" INTEGER,
    "cores_told" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "expires_on" TEXT,

    CONSTRAINT "compared_book_entries_pkey" PRIMARY KEY ("comparison_id","reference")
);

-- CreateTable
CREATE TABLE "discarded_registrations" (
    "license_key" TEXT NOT NULL,
    "operation_id" UUID NOT NULL,
    "license" JSONB NOT NULL,
    "bundle_instance" JSONB,

    CONSTRAINT "discarded_registrations_pkey" PRIMARY KEY ("license_key")
);

-- CreateIndex
CREATE INDEX "provider_comparisons_provider_id_idx" ON "provider_comparisons"("provider", "id");

-- CreateIndex
CREATE INDEX "discarded_registrations_operation_id_idx" ON "discarded_registrations"("operation_id");

-- CreateIndex
CREATE INDEX "reconciliation_cases_provider_reference_idx" ON "reconciliation_cases"("provider", "reference");

-- CreateIndex
CREATE INDEX "reconciliation_cases_operation_id_idx" ON "reconciliation_cases"("operation_id");

-- AddForeignKey
ALTER TABLE "provider_comparisons" ADD CONSTRAINT "provider_comparisons_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "compared_book_entries" ADD CONSTRAINT "compared_book_entries_comparison_id_fkey" FOREIGN KEY ("comparison_id") REFERENCES "provider_comparisons"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One comparison of a provider at a time.
create unique index provider_comparisons_running on provider_comparisons (provider) where finished_at is null;

-- A registration that came to nothing is removed; what it would have made is kept, in case the provider did it after all.
create function keep_discarded_registration() returns trigger language plpgsql as $$
begin
  insert into discarded_registrations (license_key, operation_id, license, bundle_instance)
  values (old.key, old.open_operation_id, to_jsonb(old),
          (select to_jsonb(b) from bundle_instances b where b.id = old.bundle_instance_id));
  return old;
end $$;

create trigger licenses_keep_discarded
  before delete on licenses for each row when (old.open_operation_id is not null)
  execute function keep_discarded_registration();

-- The licenses that stand and fall together: one, or all of its bundle.
create function licenses_of_unit(p_license_id int) returns setof licenses language sql stable as $$
  select m.* from licenses l join licenses m on m.id = l.id or m.bundle_instance_id = l.bundle_instance_id
   where l.id = p_license_id order by m.id
$$;

-- What was bought for the present term: the last registration or renewal that succeeded, and what was charged or credited
-- since. Newest first.
create function operations_of_term(p_license_id int) returns setof operations language sql stable as $$
  with unit as (
    select id, bundle_instance_id from licenses_of_unit(p_license_id)
  ), done as (
    select o.* from operations o
     where o.state = 'succeeded'
       and (o.license_id in (select id from unit) or o.bundle_instance_id in (select bundle_instance_id from unit))
  )
  select * from done
   where settled_at >= (select max(settled_at) from done
                         where kind in ('license_register', 'license_renew', 'bundle_register', 'bundle_renew'))
   order by settled_at desc, created_at desc
$$;

-- Minor units that the reseller has paid for it by now, refunds and credits deducted.
create function paid_for_term(p_license_id int) returns bigint language sql stable as $$
  select -coalesce(sum(e.amount), 0)::bigint from operations_of_term(p_license_id) o join ledger_entries e on e.operation_id = o.id
$$;

-- Actions of an admin on a case. Each is one statement: the case, what it changes, and the audit entry, or nothing of it.
-- All raise LD004 when the case is not as the admin saw it: somebody else has ended it, or a comparison found it changed.
-- LD001 what it is about has an operation in flight, or has changed since it was compared.

create function close_case(
  p_case_id int, p_fingerprint text, p_resolution text, p_action text, p_actor text, p_reason text, p_now timestamptz
) returns reconciliation_cases language plpgsql as $$
declare
  closed reconciliation_cases;
begin
  update reconciliation_cases c set resolved_at = p_now, resolution = p_resolution
   where c.id = p_case_id and c.resolved_at is null and c.fingerprint = p_fingerprint
  returning * into closed;
  if not found then raise exception 'the case is not as it was seen' using errcode = 'LD004'; end if;
  perform write_audit_entry(p_actor, 'reconciliation.' || p_action, closed.reseller_id, 'case:' || closed.id, p_reason,
    jsonb_build_object('kind', closed.kind, 'reference', closed.reference, 'resolution', closed.resolution), p_now);
  return closed;
end $$;

create function tell_of_license(p_license_id int, p_kind text, p_data jsonb, p_operation_id uuid, p_now timestamptz)
returns void language sql as $$
  insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, occurred_at)
  select gen_random_uuid(), l.reseller_id, p_kind,
         jsonb_build_object('license_id', 'lic_' || l.id, 'type', p.slug,
                            'server', coalesce(nullif(l.hostname, ''), l.ip_address)) || coalesce(p_data, '{}'),
         l.id, l.bundle_instance_id, p_operation_id, p_now
    from licenses l join products p on p.id = l.product_id where l.id = p_license_id
$$;

-- Ends what the provider does not hold, with the whole bundle that it belongs to.
create function end_unit(p_case reconciliation_cases, p_now timestamptz) returns void language plpgsql as $$
declare
  member licenses;
  ended int := 0;
begin
  for member in
    select l.* from licenses l where l.id in (select id from licenses_of_unit(p_case.license_id)) order by l.id for update
  loop
    if member.open_operation_id is not null or member.updated_at > p_case.last_seen_at then
      raise exception 'license % has changed', member.id using errcode = 'LD001';
    end if;
    continue when member.terminated_at is not null;
    update licenses set terminated_at = p_now, updated_at = p_now where id = member.id;
    update bundle_instances set terminated_at = p_now where id = member.bundle_instance_id and terminated_at is null;
    perform tell_of_license(member.id, 'license.terminated', null, p_case.operation_id, p_now);
    ended := ended + 1;
  end loop;
  if ended = 0 then raise exception 'it has ended already' using errcode = 'LD001'; end if;
end $$;

-- Charged, not provisioned. p_refund: all that was paid for the present term is given back; otherwise the charge stands.
create function end_unprovisioned(
  p_case_id int, p_fingerprint text, p_refund boolean, p_actor text, p_reason text, p_now timestamptz
) returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, case when p_refund then 'refunded' else 'adopted' end,
                                            case when p_refund then 'refund' else 'adopt' end, p_actor, p_reason, p_now);
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
create function restore_ended(p_case_id int, p_fingerprint text, p_actor text, p_reason text, p_now timestamptz)
returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now);
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
create function adopt_late_success(p_case_id int, p_fingerprint text, p_actor text, p_reason text, p_now timestamptz)
returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now);
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
    perform close_case(other.id, other.fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now);
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
  p_case_id int, p_fingerprint text, p_succeeded boolean, p_actor text, p_reason text, p_now timestamptz
) returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, case when p_succeeded then 'adopted' else 'refunded' end,
                                            case when p_succeeded then 'adopt' else 'refund' end, p_actor, p_reason, p_now);
begin
  perform from settle_operation(closed.operation_id, p_succeeded, case when not p_succeeded then 'The outcome stayed unknown. The money was released.' end,
                                '{}', true, p_now);
  if not found then raise exception 'the operation has ended' using errcode = 'LD004'; end if;
end $$;

-- Ours becomes what the provider holds.   LD006 the address of a bundle's member   23P01 the address has another license
create function take_over_provider_facts(p_case_id int, p_fingerprint text, p_actor text, p_reason text, p_now timestamptz)
returns void language plpgsql as $$
declare
  closed reconciliation_cases := close_case(p_case_id, p_fingerprint, 'adopted', 'adopt', p_actor, p_reason, p_now);
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
