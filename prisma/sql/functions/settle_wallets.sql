-- Charges or releases the holds of settled operations, posts the ledger entries, and records the outcomes. The balances of
-- an entry and of an operation are those right after it, in the order of the list.
--   p_settled   as `lock_settlements` returns them
-- Raises nothing.
create or replace function settle_wallets(p_settled jsonb) returns void language plpgsql as $$
declare
  resellers int[];
begin
  with total as (
    select s.reseller_id, sum(s.hold_amount)::bigint as held, sum(s.charged)::bigint as charged
      from jsonb_to_recordset(p_settled) as s (reseller_id int, hold_amount bigint, charged bigint)
     group by s.reseller_id order by s.reseller_id
  ), wallet as (
    -- In one order, and also if its money does not change: this locks it.
    update wallets w set held = w.held - t.held, posted = w.posted - t.charged
      from total t where w.reseller_id = t.reseller_id
    returning w.reseller_id, w.posted, w.held
  ), outcome as (
    select s.*, w.posted + coalesce(sum(s.charged) over later, 0)::bigint as posted_after,
           w.posted - w.held + coalesce(sum(s.charged - s.hold_amount) over later, 0)::bigint as balance_after
      from jsonb_to_recordset(p_settled) as s (place int, id uuid, reseller_id int, license_id int, bundle_instance_id int,
                                               hold_amount bigint, charged bigint, actor text,
                                               succeeded boolean, reconciled boolean, failure_message text, now timestamptz)
      join wallet w on w.reseller_id = s.reseller_id
    window later as (partition by s.reseller_id order by s.place rows between 1 following and unbounded following)
  ), entries as (
    insert into ledger_entries (reseller_id, counter_account, kind, amount, posted_after, operation_id, subject_label, actor, created_at)
    select s.reseller_id,
           case when s.charged > 0 then 'revenue' else 'credits' end::ledger_account,
           case when s.charged > 0 then 'charge' else 'credit' end::ledger_entry_kind,
           -s.charged, s.posted_after, s.id, subject.label, s.actor, s.now
      from outcome s left join lateral subject_label(s.reseller_id, s.license_id, s.bundle_instance_id) as subject (label) on true
     where s.charged <> 0 order by s.place
  ), ended as (
    update operations o set
        state = case when s.succeeded then 'succeeded' else 'rejected' end::operation_state,
        settled_at = s.now,
        owner_id = null,
        reconciled_at = case when s.reconciled then s.now end,
        failure_message = s.failure_message,
        balance_after = s.balance_after
      from outcome s where o.id = s.id and o.reseller_id is not distinct from s.reseller_id
  )
  select array_agg(w.reseller_id) into resellers from wallet w;

  -- A released hold raises the available balance, too.
  perform emit_low_balance(resellers, (p_settled #>> '{-1,now}')::timestamptz);
end $$;
