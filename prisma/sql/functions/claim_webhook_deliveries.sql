-- Claims up to p_slots due deliveries for a process under p_token, and starts an attempt for each. Endpoints take turns,
-- the one with the fewest deliveries in flight first. An endpoint whose last attempt failed gets one delivery at
-- a time until it responds; all failing endpoints together get at most p_failing_slots.
-- Raises nothing.
create or replace function claim_webhook_deliveries(p_owner_id uuid, p_token uuid, p_now timestamptz, p_slots int, p_failing_slots int)
returns table (
  delivery_id bigint, attempt_number int, failure_count int, failing boolean, endpoint_id int, url text, seal_id uuid,
  secret bytea, previous_secret bytea, previous_secret_until timestamptz, event_id uuid, kind text, data jsonb, occurred_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
begin
  -- Serializes claims, so each one sees the previous one's claims and no endpoint exceeds its share.
  perform pg_advisory_xact_lock(hashtext('claim_webhook_deliveries'));
  return query
  with recursive waiting (endpoint_id) as (
    (select d.endpoint_id from webhook_deliveries d where d.state = 'pending' order by d.endpoint_id limit 1)
    union all
    select (select d.endpoint_id from webhook_deliveries d
             where d.state = 'pending' and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1)
      from waiting w where w.endpoint_id is not null
  ), open_endpoints as materialized (
    select e.id, e.ordered, e.first_failed_at is not null as failing, busy.count as busy,
           case when e.ordered or e.first_failed_at is not null then 1 else e.concurrency end - busy.count as room
      from waiting w
      join webhook_endpoints e on e.id = w.endpoint_id and e.paused_at is null and e.disabled_at is null
     cross join lateral (select count(*)::int as count from webhook_deliveries d
                          where d.endpoint_id = e.id and d.owner_id is not null) busy
  ), due as (
    select d.id, d.next_attempt_at, o.failing,
           o.busy + row_number() over (partition by o.id order by d.next_attempt_at, d.id) as turn
      from open_endpoints o
     cross join lateral (
       (select d.id, d.next_attempt_at from webhook_deliveries d
         where not o.ordered and d.endpoint_id = o.id and d.state = 'pending' and d.next_attempt_at <= p_now
           and d.owner_id is null
         order by d.next_attempt_at, d.id limit greatest(o.room, 0))
       union all
       -- Ordered endpoints: only the oldest delivery is eligible, once it is due. The others wait behind it.
       (select head.id, head.next_attempt_at
          from (select d.* from webhook_deliveries d where d.endpoint_id = o.id and d.state = 'pending' order by d.id limit 1) head
         where o.ordered and o.room > 0 and head.next_attempt_at <= p_now
           and head.owner_id is null)
     ) d
  ), picked as (
    select r.id from (select u.*, row_number() over (partition by u.failing order by u.turn, u.next_attempt_at) as place from due u) r
     where not r.failing or r.place <= p_failing_slots
     order by r.turn, r.next_attempt_at limit p_slots
  ), chosen as materialized (
    select d.id, d.resent from webhook_deliveries d
     where d.id in (select p.id from picked p) and d.state = 'pending' and d.owner_id is null
     order by d.id for update skip locked
  ), taken as (
    update webhook_deliveries d set attempt_count = d.attempt_count + 1, owner_id = p_owner_id, lease_token = p_token, resent = false
      from chosen c where d.id = c.id returning d.*
  ), interrupted as (
    update webhook_attempts a set error = 'There is no result: the process that sent it has ended.'
      from taken t where a.delivery_id = t.id and a.number = t.attempt_count - 1 and a.succeeded is null
  ), begun as (
    insert into webhook_attempts (delivery_id, endpoint_id, number, manual, started_at)
    select t.id, t.endpoint_id, t.attempt_count, c.resent, p_now from taken t join chosen c on c.id = t.id
  )
  select t.id, t.attempt_count, t.failure_count, e.first_failed_at is not null, e.id, e.url, e.seal_id, e.secret,
         e.previous_secret, e.previous_secret_until, v.id, v.kind, v.data, v.occurred_at
    from taken t join webhook_endpoints e on e.id = t.endpoint_id join events v on v.id = t.event_id
   order by t.id;
end $$;
