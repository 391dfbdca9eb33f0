-- Writes the messages that gather what has happened in a stretch of time, once it is over: failed renewals and new cases
-- every quarter of an hour, licenses that expire soon every day at 7:00 UTC. A stretch has one message for each user, so
-- calls may be repeated, missed for a day, or run at once. It lists the 20 most urgent,
-- the earliest end first; `unpaid` covers all.
-- Raises nothing.
create or replace function queue_digest_mails(p_now timestamptz) returns int language sql as $$
  with happened as (
    -- A license once, by its latest reason. What somebody requested failed before their eyes, and is not retried.
    (select distinct on (e.reseller_id, e.data ->> 'license_id', date_bin('15 minutes', e.occurred_at, timestamptz '2000-01-01 07:00+00'))
           'renewal_failed' as kind, e.reseller_id, e.occurred_at as at, e.sequence as id,
           e.data || jsonb_build_object('product', p.name, 'expires_at', l.expires_at) as data,
           -- A bundle's price is on each of its licenses.
           case when e.data ->> 'reason' = 'insufficient_balance' and not exists (
                  select from licenses m where m.bundle_instance_id = l.bundle_instance_id and m.id < l.id)
                then (e.data ->> 'price')::numeric end as unpaid, 0 as rank,
           interval '15 minutes' as length, interval '1 minute' as margin
      from events e join licenses l on l.id = e.license_id join products p on p.id = l.product_id
     where e.kind = 'license.renewal_failed' and not e.data ? 'requested' and e.test_endpoint_id is null
       and e.occurred_at >= p_now - interval '1 day'
     order by e.reseller_id, e.data ->> 'license_id', date_bin('15 minutes', e.occurred_at, timestamptz '2000-01-01 07:00+00'),
              e.occurred_at desc, e.sequence desc)
    union all
    -- A license once a day, by what was said of its price if anything was.
    (select distinct on (e.reseller_id, e.data ->> 'license_id', date_bin('1 day', e.occurred_at, timestamptz '2000-01-01 07:00+00'))
            'expiring_soon', e.reseller_id, e.occurred_at, e.sequence, e.data || jsonb_build_object('product', p.name), null,
            -- Expires, expires because of the price, renews at a higher price, renews.
            case when not (e.data ->> 'auto_renew')::boolean then 0 when e.data -> 'price' is null then 3
                 when e.data ->> 'charged_from' is null then 1 else 2 end,
            interval '1 day', interval '1 minute'
       from events e join licenses l on l.id = e.license_id join products p on p.id = l.product_id
      where e.kind = 'license.expiring_soon' and e.test_endpoint_id is null
        and e.occurred_at >= date_bin('1 day', p_now, timestamptz '2000-01-01 07:00+00') - interval '1 day'
      order by e.reseller_id, e.data ->> 'license_id', date_bin('1 day', e.occurred_at, timestamptz '2000-01-01 07:00+00'),
               e.data -> 'price' is null, e.occurred_at desc, e.sequence desc)
    union all
    select 'new_cases', null, c.first_seen_at, c.id,
           jsonb_strip_nulls(jsonb_build_object('id', c.id, 'kind', c.kind, 'provider', c.provider,
                                                'license', 'lic_' || c.license_id, 'reseller', r.name)), null, 0,
           -- Dated by the start of their comparison, which may take a while.
           interval '15 minutes', interval '15 minutes'
      from reconciliation_cases c left join resellers r on r.id = c.reseller_id
     where c.resolved_at is null and c.first_seen_at >= p_now - interval '1 day'
  ), stretches as (
    select h.kind, h.reseller_id, date_bin(h.length, h.at, timestamptz '2000-01-01 07:00+00') as begun_at, h.length, h.margin,
           count(*)::int as count, to_jsonb((array_agg(h.data order by h.rank, h.data ->> 'expires_at', h.at, h.id))[1:20]) as items,
           count(*) filter (where h.data ->> 'reason' = 'insufficient_balance') as unpaid_count,
           sum(h.unpaid) as unpaid, min(h.data ->> 'currency') as currency
      from happened h group by 1, 2, 3, 4, 5
  ), queued as (
    select queue_mail(gen_random_uuid(), s.kind, u, jsonb_build_object('count', s.count, 'items', s.items)
                      || case when s.unpaid_count = 0 then '{}' else jsonb_build_object('unpaid',
                           jsonb_build_object('count', s.unpaid_count, 'price', s.unpaid, 'currency', s.currency)) end, null, null,
                      s.kind || ':' || u.id || ':' || extract(epoch from s.begun_at)::bigint, p_now)
      from stretches s join users u on u.reseller_id is not distinct from s.reseller_id and wants_mail(s.kind, u)
     -- Transactions that have begun in a stretch must be over.
     where s.begun_at + s.length + s.margin <= p_now and u.created_at < s.begun_at + s.length
       and not exists (select from mails m where m.once_key = s.kind || ':' || u.id || ':' || extract(epoch from s.begun_at)::bigint)
  )
  select count(*)::int from queued
$$;
