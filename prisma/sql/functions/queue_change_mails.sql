-- Trigger: writes the messages about requested and decided top-ups and disabled webhook endpoints, in the transaction of
-- the change.
-- Raises nothing.
create or replace function queue_change_mails() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'webhook_endpoints' then
    perform queue_mails('webhook_disabled', new.reseller_id, jsonb_build_object('id', 'whe_' || new.id, 'url', new.url,
                        'reason', new.disabled_reason), new.disabled_at);
    return null;
  end if;
  perform queue_mails(
      case when tg_op = 'INSERT' then 'top_up_requested' else 'top_up_decided' end,
      case when tg_op = 'INSERT' then null else new.reseller_id end,
      jsonb_build_object('reseller', r.name, 'requested', to_major(new.amount, w.minor_digits)::text,
                         'amount', to_major(coalesce(new.credited_amount, new.amount), w.minor_digits)::text, 'currency', w.currency,
                         'reference', new.reference, 'approved', new.state = 'approved', 'note', new.decision_note),
      coalesce(new.decided_at, new.created_at))
     from resellers r join wallets w on w.reseller_id = r.id where r.id = new.reseller_id;
  return null;
end $$;
