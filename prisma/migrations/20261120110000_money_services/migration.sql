-- CreateEnum
CREATE TYPE "payment_method" AS ENUM ('bank_transfer', 'card', 'cash', 'other');

-- DropIndex
DROP INDEX "licenses_expires_at_idx";

-- AlterTable
ALTER TABLE "ledger_entries" ADD COLUMN     "method" "payment_method";

-- AlterTable
ALTER TABLE "top_up_requests" ADD COLUMN     "method" "payment_method" NOT NULL DEFAULT 'bank_transfer';

-- CreateTable
CREATE TABLE "notice_progress" (
    "notice" TEXT NOT NULL,
    "told_until" TIMESTAMPTZ(3) NOT NULL,
    "told_license_id" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "notice_progress_pkey" PRIMARY KEY ("notice")
);

-- CreateIndex
CREATE INDEX "licenses_expires_at_id_idx" ON "licenses"("expires_at", "id");

-- Renewals by themselves: what is due is found without reading what is not.
create index licenses_auto_renew on licenses (reseller_id, expires_at) where auto_renew;
create index bundle_instances_auto_renew on bundle_instances (reseller_id, expires_at) where auto_renew;
-- A term is renewed by itself once, whoever tries: a second attempt is possible only when the first was refused.
create unique index operations_one_automatic_renewal_per_term on operations ((plan #>> '{facts,renewsTerm}'))
  where state <> 'rejected';
alter table resellers
  add constraint resellers_renew_ahead_days check (renew_ahead_days between 1 and 90),
  add constraint resellers_expiring_soon_days check (0 < all (expiring_soon_days));

-- Adds a job that makes a worker look at something then. The row that it names is what counts, and the next sweep finds
-- it: so nothing fails where no worker has made the queue yet, or one is just changing its tables.
create function wake_worker(p_task text, p_payload json, p_run_at timestamptz, p_job_key text) returns void language plpgsql as $$
begin
  perform graphile_worker.add_job(p_task, p_payload, run_at => p_run_at, job_key => p_job_key, max_attempts => 5);
exception when others then
  return;
end $$;

-- As before, and drafts may have an `onceKey`: what has been told under it is not told again.
create or replace function write_events(p_drafts jsonb, p_operation operations, p_now timestamptz) returns void language sql as $$
  insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, operation_id, once_key, occurred_at)
  select (d.value ->> 'id')::uuid, p_operation.reseller_id, d.value ->> 'kind',
         case when l.id is null then '{}'::jsonb else jsonb_build_object(
           'license_id', 'lic_' || l.id, 'type', p.slug, 'server', coalesce(nullif(l.hostname, ''), l.ip_address)) end
           || coalesce(d.value -> 'data', '{}'::jsonb),
         l.id, coalesce(l.bundle_instance_id, p_operation.bundle_instance_id), p_operation.id, d.value ->> 'onceKey', p_now
    from jsonb_array_elements(p_drafts) with ordinality d
    left join licenses l on l.key = d.value ->> 'licenseKey'
    left join products p on p.id = l.product_id
   order by d.ordinality
  on conflict (once_key) do nothing
$$;

create function write_audit_entry(p_actor text, p_action text, p_reseller_id int, p_subject text, p_reason text, p_data jsonb, p_now timestamptz)
returns void language sql as $$
  insert into audit_entries (actor, action, reseller_id, subject, reason, data, created_at)
  values (p_actor, p_action, p_reseller_id, p_subject, coalesce(p_reason, ''), coalesce(p_data, '{}'), p_now)
$$;

drop function post_ledger_entry(int, ledger_entry_kind, ledger_account, bigint, text, text, text, uuid, jsonb, timestamptz);

-- Money that no operation moves: top-ups, adjustments, refunds. Positive amounts enter the wallet.
--   p_audit   {action, data}: the admin's decision, kept with the entry
-- LD002 too little to spend   23505 the reference was used before
create function post_ledger_entry(
  p_reseller_id int,
  p_kind ledger_entry_kind,
  p_counter_account ledger_account,
  p_amount bigint,
  p_reference text,
  p_note text,
  p_actor text,
  p_operation_id uuid,
  p_event jsonb,
  p_now timestamptz,
  p_method payment_method default null,
  p_audit jsonb default null
) returns setof ledger_entries language plpgsql as $$
declare
  wallet wallets;
begin
  update wallets w set posted = w.posted + p_amount
   where w.reseller_id = p_reseller_id and w.posted + p_amount - w.held >= 0
  returning * into wallet;
  if not found then raise exception 'too little to spend' using errcode = 'LD002'; end if;
  perform tell_low_balance(wallet, p_now);
  if p_event is not null then
    insert into events (id, reseller_id, kind, data, occurred_at)
    values ((p_event ->> 'id')::uuid, p_reseller_id, p_event ->> 'kind', p_event -> 'data', p_now);
  end if;
  if p_audit is not null then
    perform write_audit_entry(p_actor, p_audit ->> 'action', p_reseller_id,
                              coalesce('operation:' || p_operation_id, 'wallet:' || wallet.id), p_note, p_audit -> 'data', p_now);
  end if;
  return query
    insert into ledger_entries (wallet_id, counter_account, kind, amount, posted_after, operation_id, reference, method, note, actor, created_at)
    values (wallet.id, p_counter_account, p_kind, p_amount, wallet.posted, p_operation_id, p_reference, p_method, p_note, p_actor, p_now)
    returning *;
end $$;

-- Gives back what an operation charged, or a part of it: never more than what is left of the charge.
--   p_amount   null: all that is left
-- No row: no such operation   LD003 more than what is left   23505 the reference was used before
create function refund_operation(
  p_operation_id uuid,
  p_amount bigint,
  p_reference text,
  p_note text,
  p_actor text,
  p_audit jsonb,
  p_now timestamptz
) returns setof ledger_entries language plpgsql as $$
declare
  op operations;
  amount_left bigint;
begin
  select * into op from operations where id = p_operation_id;
  if not found then return; end if;
  -- Two refunds of one operation wait for each other here, and the second adds up what the first has written.
  perform from wallets w where w.reseller_id = op.reseller_id for update;
  select -coalesce(sum(e.amount), 0) into amount_left from ledger_entries e where e.operation_id = op.id;
  if amount_left <= 0 or coalesce(p_amount, amount_left) not between 1 and amount_left then
    raise exception 'more than what is left of the charge' using errcode = 'LD003', detail = amount_left::text;
  end if;
  return query select * from post_ledger_entry(op.reseller_id, 'refund', 'credits', coalesce(p_amount, amount_left), p_reference,
                                               p_note, p_actor, op.id, null, p_now, null, p_audit);
end $$;

-- Approves or declines a request that nobody has decided yet; approving credits the wallet under its reference.
-- No row: no such request, or decided already   23505 the reference was used before
create function decide_top_up(
  p_request_id int,
  p_approve boolean,
  p_note text,
  p_actor text,
  p_event_id uuid,
  p_now timestamptz
) returns setof top_up_requests language plpgsql as $$
declare
  request top_up_requests;
  wallet wallets;
begin
  update top_up_requests t set
      state = case when p_approve then 'approved' else 'declined' end::top_up_request_state,
      decided_by = p_actor, decided_at = p_now, decision_note = p_note
   where t.id = p_request_id and t.state = 'requested'
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
    jsonb_build_object('state', request.state, 'amount', request.amount::text, 'reference', request.reference), p_now);
  return next request;
end $$;

-- Sets from where on a reseller is told that its balance is low (null: never), and tells it at once if it is.
create function set_low_balance_threshold(p_reseller_id int, p_threshold bigint, p_actor text, p_now timestamptz)
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
                            jsonb_build_object('threshold', p_threshold::text), p_now);
  return next wallet;
end $$;
