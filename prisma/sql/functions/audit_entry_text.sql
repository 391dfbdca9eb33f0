-- The text of an audit entry that its link hashes: JSON with its keys in the order of jsonb, times in UTC.
-- Raises nothing.
create or replace function audit_entry_text(e audit_entries) returns text language sql stable as $$
  select jsonb_build_object(
    'id', e.id, 'at', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'actor', e.actor,
    'acting_as_reseller_id', e.acting_as_reseller_id, 'action', e.action, 'reseller_id', e.reseller_id, 'subject', e.subject,
    'subject_label', e.subject_label, 'reason', e.reason, 'data', e.data, 'request_id', e.request_id, 'address', e.address)::text
$$;
