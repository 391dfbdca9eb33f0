-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "acting_as_reseller_id" INTEGER,
ADD COLUMN     "request_id" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "subject_label" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "audit_entries_actor_id_idx" ON "audit_entries"("actor", "id");

-- CreateIndex
CREATE INDEX "audit_entries_action_id_idx" ON "audit_entries"("action", "id");

-- CreateIndex
CREATE INDEX "audit_entries_created_at_id_idx" ON "audit_entries"("created_at", "id");

-- The one writer of audit entries. An actor may be an admin as a reseller, `user:7 as reseller:3`: these are two columns.
drop function write_audit_entry(text, text, int, text, text, jsonb, timestamptz);
create function write_audit_entry(
  p_actor text, p_action text, p_reseller_id int, p_subject text, p_reason text, p_data jsonb, p_now timestamptz,
  p_request_id text default '', p_label text default ''
) returns void language sql as $$
  insert into audit_entries (actor, acting_as_reseller_id, action, reseller_id, subject, subject_label, reason, data, request_id, created_at)
  values (split_part(p_actor, ' as reseller:', 1), nullif(split_part(p_actor, ' as reseller:', 2), '')::int, p_action, p_reseller_id,
          p_subject, coalesce(p_label, ''), coalesce(p_reason, ''), coalesce(p_data, '{}'), coalesce(p_request_id, ''), p_now)
$$;

-- Field → {before, after} of what differs, as an audit entry's data tells it.
create function changes_between(p_before jsonb, p_after jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(a.key, jsonb_build_object('before', p_before -> a.key, 'after', a.value)), '{}')
    from jsonb_each(p_after) a where p_before -> a.key is distinct from a.value
$$;

-- As before, and the audit entry has the request's id.
--   p_audit   {action, data, requestId}: the admin's decision, kept with the entry
create or replace function post_ledger_entry(
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
                              coalesce('operation:' || p_operation_id, 'wallet:' || wallet.id), p_note, p_audit -> 'data', p_now,
                              coalesce(p_audit ->> 'requestId', ''));
  end if;
  return query
    insert into ledger_entries (wallet_id, counter_account, kind, amount, posted_after, operation_id, reference, method, note, actor, created_at)
    values (wallet.id, p_counter_account, p_kind, p_amount, wallet.posted, p_operation_id, p_reference, p_method, p_note, p_actor, p_now)
    returning *;
end $$;
