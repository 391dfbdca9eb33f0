-- Records the outcome of a challenge: makes the endpoint active and delivers what was queued, or stores why it stays
-- pending (p_error). A replaced challenge, or one sent to an earlier URL, changes nothing.
-- Returns whether the endpoint became active.
-- Raises nothing.
create or replace function conclude_webhook_challenge(
  p_endpoint_id int, p_event_id uuid, p_error text, p_actor text, p_now timestamptz, p_request_id text
) returns boolean language plpgsql as $$
declare
  endpoint webhook_endpoints;
begin
  if p_error is not null then
    update webhook_endpoints e set challenge_error = p_error
     where e.id = p_endpoint_id and e.challenge_event_id = p_event_id and e.pending_since is not null;
    return false;
  end if;
  update webhook_endpoints e set pending_since = null, challenge_error = null, first_failed_at = null, updated_at = p_now
   where e.id = p_endpoint_id and e.challenge_event_id = p_event_id and e.pending_since is not null returning * into endpoint;
  if not found then return false; end if;
  perform write_audit_entry(p_actor, 'webhook.verify', endpoint.reseller_id, 'webhook_endpoint:' || endpoint.id, '', '{}', p_now,
                            p_request_id, endpoint.url);
  perform wake_webhook_delivery();
  return true;
end $$;
