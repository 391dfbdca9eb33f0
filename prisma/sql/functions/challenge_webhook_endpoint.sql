-- Queues a new challenge for a pending endpoint, replacing an earlier one. Does nothing while the endpoint is active,
-- paused or disabled.
--   p_actor   who requested it; null if another change of the endpoint causes it, which has its own audit entry
-- Returns null, or the seconds to wait if the reseller had p_limit challenges within the last hour. Without p_actor, the
-- endpoint's challenge_error reports the limit.
-- Raises nothing.
create or replace function challenge_webhook_endpoint(p_endpoint_id int, p_limit int, p_actor text, p_now timestamptz, p_request_id text)
returns int language plpgsql as $$
declare
  endpoint webhook_endpoints;
  new_event_id uuid := gen_random_uuid();
  asked int;
  oldest timestamptz;
begin
  select * into endpoint from webhook_endpoints e
   where e.id = p_endpoint_id and e.pending_since is not null and e.paused_at is null and e.disabled_at is null for no key update;
  if not found then return null; end if;
  -- Serializes the reseller's challenges, so that the count below includes the previous one.
  perform pg_advisory_xact_lock(hashtext('challenge_webhook_endpoint'), endpoint.reseller_id);
  select count(*), min(v.occurred_at) into asked, oldest from events v
   where v.reseller_id = endpoint.reseller_id and v.kind = 'webhook.endpoint_verification' and v.occurred_at > p_now - interval '1 hour';
  if asked >= p_limit then
    update webhook_endpoints e set challenge_error = 'Not sent: the limit of ' || p_limit || ' challenges within an hour per account is reached.'
     where e.id = endpoint.id and p_actor is null;
    return greatest(1, ceil(extract(epoch from oldest + interval '1 hour' - p_now)))::int;
  end if;
  update webhook_deliveries d set state = 'discarded'
   where d.event_id in (select v.id from events v
                         where v.reseller_id = endpoint.reseller_id and v.kind = 'webhook.endpoint_verification')
     and d.endpoint_id = endpoint.id and d.state = 'pending' and d.owner_id is null;
  update webhook_endpoints e set challenge_event_id = new_event_id, challenge_error = null, code_tries = 0
   where e.id = endpoint.id;
  insert into events (id, reseller_id, kind, data, test_endpoint_id, occurred_at)
  values (new_event_id, endpoint.reseller_id, 'webhook.endpoint_verification',
          -- 244 random bits.
          jsonb_build_object('challenge', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')),
          endpoint.id, p_now);
  if p_actor is not null then
    perform write_audit_entry(p_actor, 'webhook.challenge', endpoint.reseller_id, 'webhook_endpoint:' || endpoint.id, '', '{}', p_now,
                              p_request_id, endpoint.url);
  end if;
  return null;
end $$;
