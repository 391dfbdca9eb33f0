-- Refunds all or part of an operation's charge, at most what is neither refunded nor credited.
--   p_amount   null refunds everything that remains
-- Returns no row if the operation does not exist.
-- Raises LD003 (detail: the remaining amount) if the amount exceeds that, 23505 if the wallet has an entry with the
-- reference.
create or replace function refund_operation(
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
  -- Serializes refunds and credits of the operation.
  perform from wallets w where w.reseller_id = op.reseller_id for update;
  amount_left := charge_left(op.id, op.reseller_id);
  if coalesce(p_amount, amount_left) not between 1 and amount_left then
    raise exception 'the amount exceeds the remaining charge' using errcode = 'LD003', detail = amount_left::text;
  end if;
  return query select * from post_ledger_entry(op.reseller_id, 'refund', 'credits', coalesce(p_amount, amount_left), p_reference,
                                               p_note, p_actor, op.id, null, p_now, null, p_audit);
end $$;
