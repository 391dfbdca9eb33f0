-- Posts money outside of operations: top-ups, adjustments, refunds. Positive amounts enter the wallet.
--   p_event   {id, kind, data}: an event to write with the entry, or null
--   p_audit   {action, data, requestId}: the admin's decision, stored with the entry, or null
-- Raises LD002 if the available balance would fall below zero, 23505 if the wallet has an entry with the reference.
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
  loop
    update wallets w set posted = w.posted + p_amount
     where w.reseller_id = p_reseller_id and w.posted + p_amount - w.held >= 0
    returning * into wallet;
    exit when found;
    perform refuse_short_wallet(p_reseller_id, -p_amount, null);
  end loop;
  perform emit_low_balance(array[p_reseller_id], p_now);
  if p_event is not null then
    insert into events (id, reseller_id, kind, data, occurred_at)
    values ((p_event ->> 'id')::uuid, p_reseller_id, p_event ->> 'kind', p_event -> 'data', p_now);
  end if;
  if p_audit is not null then
    perform write_audit_entry(p_actor, p_audit ->> 'action', p_reseller_id,
                              coalesce('operation:' || p_operation_id, 'wallet:' || p_reseller_id), p_note, p_audit -> 'data', p_now,
                              coalesce(p_audit ->> 'requestId', ''));
  end if;
  return query
    insert into ledger_entries (reseller_id, counter_account, kind, amount, posted_after, operation_id, subject_label, reference, method,
                                note, actor, created_at)
    values (p_reseller_id, p_counter_account, p_kind, p_amount, wallet.posted, p_operation_id,
            (select subject.label
               from operations o cross join lateral subject_label(o.reseller_id, o.license_id, o.bundle_instance_id) as subject (label)
              where o.id = p_operation_id and o.reseller_id = p_reseller_id),
            p_reference, p_method, p_note, p_actor, p_now)
    returning *;
end $$;
