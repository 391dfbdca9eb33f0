-- The only writer of audit entries. Splits an admin acting as a reseller, `user:7 as reseller:3`, and a request with its
-- source address, `web_1 from 203.0.113.7`, into two columns each.
-- Raises nothing.
create or replace function write_audit_entry(
  p_actor text, p_action text, p_reseller_id int, p_subject text, p_reason text, p_data jsonb, p_now timestamptz,
  p_request_id text default '', p_label text default ''
) returns void language sql as $$
  insert into audit_entries (actor, acting_as_reseller_id, action, reseller_id, subject, subject_label, reason, data, request_id,
                             address, created_at)
  values (split_part(p_actor, ' as reseller:', 1), nullif(split_part(p_actor, ' as reseller:', 2), '')::int, p_action, p_reseller_id,
          p_subject, coalesce(p_label, ''), coalesce(p_reason, ''), coalesce(p_data, '{}'),
          split_part(coalesce(p_request_id, ''), ' from ', 1), split_part(coalesce(p_request_id, ''), ' from ', 2), p_now)
$$;
