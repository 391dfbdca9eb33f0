-- Claims up to p_slots due deliveries for a process under p_token, and starts an attempt for each. Endpoints take turns,
-- the one with the fewest deliveries in flight first. An endpoint whose last attempt failed gets one delivery at
-- a time until it responds; all failing endpoints together get at most p_failing_slots.
-- A target (the address that a host resolves to) gets at most p_target_concurrency deliveries at a time and p_target_rate
-- per second across endpoints and resellers; its failing endpoints at most half of the former. Deliveries beyond that stay
-- due and take no slot. An endpoint whose host is not resolved yet gets one delivery, which resolves it.
-- An account (a reseller and its sandbox) gets at most 100 at a time over all of its endpoints: half of a worker's slots.
-- A pending endpoint gets only its challenge; a target gets p_target_challenges per hour.
-- Skips an endpoint that another session locks: deleting one waits for its deliveries, which this would hold.
-- Endpoints of other formats than p_formats are for a process of another version.
-- Raises nothing.
create or replace function claim_webhook_deliveries(p_owner_id uuid, p_token uuid, p_now timestamptz, p_slots int, p_failing_slots int,
                                                    p_target_concurrency int, p_target_rate int, p_target_challenges int, p_formats text[])
returns table (
  delivery_id bigint, attempt_number int, failure_count int, failing boolean, endpoint_id int,
  format webhook_format, url text, chat_id text, test_mode boolean, target text, seal_id uuid,
  challenge_event_id uuid, secret bytea, previous_secret bytea, previous_secret_until timestamptz, event_id uuid, kind text, data jsonb, occurred_at timestamptz
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
  ), in_flight as materialized (
    select d.endpoint_id, d.target, count(*)::int as count, 
           count(*) filter (where coalesce(e.first_failed_at, e.pending_since) is not null)::int as failing
      from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id where d.owner_id is not null group by 1, 2
  ), account_busy as materialized (
    select coalesce(r.sandbox_of, r.id) as account_id, sum(f.count)::int as count
      from in_flight f join webhook_endpoints e on e.id = f.endpoint_id join resellers r on r.id = e.reseller_id group by 1
  ), candidates as materialized (
    -- A pending endpoint counts as failing until it has responded.
    select e.id, a.account_id, coalesce(a.count, 0) as account_busy, e.ordered, e.target, e.pending_since is not null as pending,
           e.challenge_event_id,
           coalesce(e.first_failed_at, e.pending_since) is not null as failing, coalesce(busy.count, 0)::int as busy,
           case when e.ordered or coalesce(e.first_failed_at, e.pending_since) is not null or e.target is null then 1
                else e.concurrency end
             - coalesce(busy.count, 0)::int as room
      from waiting w
      join webhook_endpoints e on e.id = w.endpoint_id and e.paused_at is null and e.disabled_at is null
       and e.format::text = any (p_formats)
      left join (select u.endpoint_id, sum(u.count) as count from in_flight u group by 1) busy on busy.endpoint_id = e.id
     cross join lateral (select coalesce(r.sandbox_of, r.id) as account_id, b.count
                           from resellers r left join account_busy b on b.account_id = coalesce(r.sandbox_of, r.id)
                          where r.id = e.reseller_id) a
  ), target_rooms as materialized (
    select c.target, greatest(p_target_concurrency >> 1, 1) - coalesce(u.failing, 0)::int as failing_room,
           greatest(0, least(
             p_target_concurrency - coalesce(u.count, 0)::int,
             -- A bucket of one second's deliveries. A time further ahead is from before the clock was set back.
             floor(p_target_rate * (1 - extract(epoch from case when t.spent_until between p_now and p_now + interval '2 seconds'
                                                                then t.spent_until - p_now else interval '0' end)) + 1e-6)::int)) as room,
           floor(p_target_challenges * (1 - extract(epoch from case when t.challenged_until between p_now and p_now + interval '2 hours'
                                                                    then t.challenged_until - p_now else interval '0' end) / 3600)
                 + 1e-6)::int as challenge_room
      from (select distinct x.target from candidates x where x.target is not null) c
      left join webhook_targets t on t.address = c.target
      left join (select w.target, sum(w.count) as count, sum(w.failing) as failing from in_flight w group by 1) u on u.target = c.target
  ), open_endpoints as materialized (
    select c.id, c.account_id, c.account_busy, c.ordered, c.target, c.pending, c.challenge_event_id, c.failing, c.busy,
           least(c.room, t.room) as room,
           t.room as target_room, t.failing_room as target_failing_room, t.challenge_room as target_challenge_room
      from candidates c left join target_rooms t on t.target = c.target
  ), due as (
    select d.id, d.next_attempt_at, o.account_id, o.account_busy, o.failing, o.pending, o.target, o.target_room, o.target_failing_room, o.target_challenge_room,
           o.busy + row_number() over (partition by o.id order by d.next_attempt_at, d.id) as turn
      from open_endpoints o
     cross join lateral (
       (select d.id, d.next_attempt_at from webhook_deliveries d
         where not o.ordered and not o.pending and d.endpoint_id = o.id and d.state = 'pending' and d.next_attempt_at <= p_now
           and d.owner_id is null
         order by d.next_attempt_at, d.id limit greatest(o.room, 0))
       union all
       -- Ordered endpoints: only the oldest delivery is eligible, once it is due. The others wait behind it.
       (select head.id, head.next_attempt_at
          from (select d.* from webhook_deliveries d where d.endpoint_id = o.id and d.state = 'pending' order by d.id limit 1) head
         where o.ordered and not o.pending and o.room > 0 and head.next_attempt_at <= p_now)
       union all
       (select d.id, d.next_attempt_at from webhook_deliveries d
         where o.pending and o.room > 0 and d.event_id = o.challenge_event_id and d.endpoint_id = o.id and d.state = 'pending'
           and d.next_attempt_at <= p_now)
     ) d
  ), within_targets as (
    select l.* from (
      select f.*, row_number() over (partition by f.target order by f.turn, f.next_attempt_at) as target_place
        from (select u.*, row_number() over (partition by u.target, u.failing order by u.turn, u.next_attempt_at) as failing_place
                from (select c.*, row_number() over (partition by c.target, c.pending order by c.next_attempt_at) as challenge_place
                        from due c) u
               where u.target is null or not u.pending or u.challenge_place <= u.target_challenge_room) f
       where f.target is null or not f.failing or f.failing_place <= f.target_failing_room) l
     where l.target is null or l.target_place <= l.target_room
  ), within_accounts as (
    select a.* from (select t.*, t.account_busy + row_number() over (partition by t.account_id order by t.turn, t.next_attempt_at) as account_place
                       from within_targets t) a
     where a.account_place <= 100
  ), picked as (
    select r.id from (select u.*, row_number() over (partition by u.failing order by u.turn, u.next_attempt_at) as place
                        from within_accounts u) r
     where not r.failing or r.place <= p_failing_slots
     order by r.turn, r.next_attempt_at limit p_slots
  ), chosen as materialized (
    select d.id, d.resent, e.target, e.pending_since is not null as challenge from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
     where d.id in (select p.id from picked p) and d.state = 'pending' and d.owner_id is null
     order by d.id for update of d skip locked for key share of e skip locked
  ), taken as (
    update webhook_deliveries d set attempt_count = d.attempt_count + 1, owner_id = p_owner_id, lease_token = p_token, resent = false,
                                   target = c.target
      from chosen c where d.id = c.id returning d.*
  ), spent as (
    insert into webhook_targets as w (address, spent_until, challenged_until)
    select c.target, p_now + make_interval(secs => count(*)::float8 / p_target_rate),
           p_now + make_interval(secs => 3600.0 * nullif(count(*) filter (where c.challenge), 0) / p_target_challenges)
      from chosen c join taken t on t.id = c.id
     where c.target is not null group by c.target order by c.target
    on conflict (address) do update set
        spent_until = excluded.spent_until + case when w.spent_until between p_now and p_now + interval '2 seconds'
                                                  then w.spent_until - p_now else interval '0' end,
        challenged_until = case when excluded.challenged_until is null then w.challenged_until
                                when w.challenged_until between p_now and p_now + interval '2 hours'
                                then excluded.challenged_until + (w.challenged_until - p_now)
                                else excluded.challenged_until end
  ), interrupted as (
    update webhook_attempts a set error = 'No result: the process that sent it has ended.'
      from taken t where a.delivery_id = t.id and a.number = t.attempt_count - 1 and a.succeeded is null
  ), begun as (
    insert into webhook_attempts (delivery_id, endpoint_id, number, manual, started_at)
    select t.id, t.endpoint_id, t.attempt_count, c.resent, p_now from taken t join chosen c on c.id = t.id
  )
  select t.id, t.attempt_count, t.failure_count, coalesce(e.first_failed_at, e.pending_since) is not null, e.id, e.format, e.url, e.chat_id,
         r.sandbox_of is not null, t.target, e.seal_id, e.challenge_event_id, e.secret, e.previous_secret, e.previous_secret_until, v.id, v.kind, v.data, v.occurred_at
    from taken t join webhook_endpoints e on e.id = t.endpoint_id join events v on v.id = t.event_id
    join resellers r on r.id = e.reseller_id
   order by t.id;
end $$;
