-- Disables an endpoint that is gone or keeps failing. Nobody claims its waiting deliveries from then on; the caller
-- discards them in batches (`discardDeliveries`).
--   p_challenge_event_id   the challenge of the destination that is gone or failing
-- Returns false if it was already disabled or has another destination.
-- Raises nothing.
create or replace function disable_webhook_endpoint(
  p_endpoint_id int, p_challenge_event_id uuid, p_reason text, p_actor text, p_now timestamptz, p_request_id text
) returns boolean language plpgsql as $$
declare
  endpoint webhook_endpoints;
begin
  update webhook_endpoints e set disabled_at = p_now, disabled_reason = p_reason, updated_at = p_now
   where e.id = p_endpoint_id and e.challenge_event_id is not distinct from p_challenge_event_id and e.disabled_at is null returning * into endpoint;
  if not found then return false; end if;
  perform write_audit_entry(p_actor, 'webhook.disable', endpoint.reseller_id, 'webhook_endpoint:' || endpoint.id, p_reason,
                            jsonb_build_object('url', endpoint.url, 'first_failed_at', endpoint.first_failed_at), p_now,
                            p_request_id, endpoint.url);
  return true;
end $$;
