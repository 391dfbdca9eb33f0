-- Records the results of delivery attempts and advances each delivery. If another process has claimed the delivery, only
-- the attempt is recorded.
--   p_results   [{delivery_id, endpoint_id, number, lease_token, succeeded, duration_ms, status, request_headers, response_start, error,
--                 next_attempt_at (null: none is left), ended_at, challenge, challenge_event_id (of its endpoint when claimed)}]
-- A challenge does not count as an endpoint's success or failure. A replaced challenge is not retried.
-- Nor does what was sent to an earlier destination, which had another challenge: after a failure the new one gets it.
-- After a day in which a delivery was due and none was attempted, as while no worker ran, its failures count from now.
-- Returns the endpoints that failed, each with its earlier first failure since its last success, or null.
-- Raises nothing.
create or replace function record_webhook_attempts(p_results jsonb) returns table (endpoint_id int, first_failed_at timestamptz) language sql as $$
  with results as materialized (
    select r.*, not r.challenge and r.challenge_event_id is distinct from e.challenge_event_id as redirected
      from jsonb_to_recordset(p_results) as r (
      delivery_id bigint, endpoint_id int, number int, lease_token uuid, succeeded boolean, duration_ms int, status int, request_headers jsonb,
      response_start text, error text, next_attempt_at timestamptz, ended_at timestamptz, challenge boolean, challenge_event_id uuid)
      left join webhook_endpoints e on e.id = r.endpoint_id
  ), attempts as (
    update webhook_attempts a set
        succeeded = r.succeeded, duration_ms = r.duration_ms, status = r.status, request_headers = r.request_headers,
        response_start = r.response_start, error = r.error
      from results r where a.delivery_id = r.delivery_id and a.number = r.number and a.succeeded is null
  ), endpoints as materialized (
    -- Before their deliveries, as deleting one locks them. Not only for key share: resetting a sandbox updates them first.
    select e.id from webhook_endpoints e where e.id in (select r.endpoint_id from results r) order by e.id for no key update
  ), locked as materialized (
    select d.id from results r join webhook_deliveries d on d.id = r.delivery_id and d.lease_token = r.lease_token
     where (select count(*) from endpoints) >= 0 order by d.id for no key update of d
  ), moved as (
    -- `resent` is set here if a resend was requested while this attempt was in flight.
    update webhook_deliveries d set
        state = case when e.disabled_at is not null and not r.succeeded then 'discarded'
                     when r.challenge and not r.succeeded and d.event_id is distinct from e.challenge_event_id then 'discarded'
                     when d.resent then 'pending' when r.succeeded then 'succeeded' when r.redirected then 'pending'
                     when r.next_attempt_at is null then 'failed' else 'pending' end::webhook_delivery_state,
        failure_count = case when d.resent or r.succeeded or r.redirected then 0 else d.failure_count + 1 end,
        next_attempt_at = case when d.resent then d.next_attempt_at when r.redirected then r.ended_at else coalesce(r.next_attempt_at, d.next_attempt_at) end,
        owner_id = null
      from locked l, results r, webhook_endpoints e
     where d.id = l.id and r.delivery_id = l.id and d.lease_token = r.lease_token and d.state = 'pending' and e.id = d.endpoint_id
    returning d.endpoint_id, r.succeeded, r.ended_at, r.challenge or r.redirected as uncounted
  ), unattempted as (
    select d.endpoint_id from results r join webhook_deliveries d on d.id = r.delivery_id
     where d.next_attempt_at < r.ended_at - interval '1 day'
       and not exists (select from webhook_attempts a
                        where a.endpoint_id = d.endpoint_id and a.started_at between r.ended_at - interval '1 day' and r.ended_at
                          and (a.delivery_id, a.number) <> (r.delivery_id, r.number))
  ), verdicts as (
    select m.endpoint_id, bool_or(m.succeeded) as succeeded, min(m.ended_at) as at from moved m
     where not m.uncounted group by m.endpoint_id
  ), changing as materialized (
    select e.id, v.succeeded, v.at from verdicts v join webhook_endpoints e on e.id = v.endpoint_id
     where v.succeeded = (e.first_failed_at is not null) or v.endpoint_id in (select u.endpoint_id from unattempted u)
     order by e.id for no key update of e
  ), marked as (
    update webhook_endpoints e set first_failed_at = case when c.succeeded then null else c.at end
      from changing c where e.id = c.id
  )
  select e.id, case when c.id is null then e.first_failed_at end
    from verdicts v join webhook_endpoints e on e.id = v.endpoint_id left join changing c on c.id = e.id where not v.succeeded
$$;
