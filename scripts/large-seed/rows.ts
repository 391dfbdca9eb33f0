/** Rows of a large installation, generated in the database. Each statement reads the results of the previous ones. */
import { PLAN_VERSION } from "#lib/domain/operation-plan.ts";

/** Tables that grow with use. */
export const grownTables = [
  "licenses",
  "address_claims",
  "paid_terms",
  "operations",
  "ledger_entries",
  "events",
  "verifications",
  "api_requests",
  "sandbox_provider_licenses",
] as const;

/** Uses `seed_keys (n, key)` and `seed_resellers (place, id, api_key_id)`; place 0 has most rows. */
interface Statement {
  readonly title: string;
  readonly sql: string;
  /** The temporary table that it creates, analyzed for the planner. */
  readonly makes?: string;
}

/** Terms of each license, and how it ended. Sales grow, so half of the licenses are young. */
const drafts = `
  create temp table seed_drafts on commit drop as
  with offers as (
    select p.id as product_id, row_number() over (order by p.id) - 1 as place, count(*) over () as total,
           array_agg(c.id order by c.months) as cycle_ids
      from products p join billing_cycles c on c.product_id = p.id
     where p.provider = 'sandbox' and p.retired_at is null and c.retired_at is null
     group by p.id
  ), numbered as (
    select k.n, k.key, (k.n - 1) / shape.per_server as server, (k.n - 1) % shape.per_server as on_server,
           date_trunc('second', now() - interval '540 days' * power(1 - k.n::float8 / (shape.licenses + 1), 2)) as issued_at,
           random() as cycle_dice, random() as fate, random() as habit, shape.resellers, shape.products
      from seed_keys k
     cross join (select count(*) as licenses, (select count(*) from seed_resellers) as resellers, (select count(*) from offers) as products,
                        least(3, (select count(*) from offers)) as per_server from seed_keys) shape
  ), sold as (
    select n.*, o.product_id, o.cycle_ids[1 + floor(sqrt(n.cycle_dice) * array_length(o.cycle_ids, 1))::int] as cycle_id,
           case when n.resellers = 1 or n.server % 10 < 8 then 0 else 1 + n.server / 10 % (n.resellers - 1) end as reseller_place
      from numbered n join offers o on o.place = (n.server + n.on_server) % n.products
  ), aged as (
    select s.*, c.months, 1 + floor((extract(year from age(now(), s.issued_at)) * 12 + extract(month from age(now(), s.issued_at))) / c.months)::int as terms
      from sold s join billing_cycles c on c.id = s.cycle_id
  ), ended as (
    select a.*, case when terms > 1 and fate < 0.2 then 1 + floor(fate * 5 * (terms - 1))::int else terms end as terms_had from aged a
  )
  select nextval(pg_get_serial_sequence('licenses', 'id'))::int as id, e.n, e.key, r.id as reseller_id, e.product_id, e.cycle_id,
         e.months, e.terms_had, e.issued_at, e.issued_at + make_interval(months => e.terms_had * e.months) as expires_at,
         p.core_metered, p.slug, p.provider_sku, e.server, e.habit,
         e.terms_had < e.terms and e.habit < 0.4 as terminated, e.terms_had = e.terms and e.habit > 0.985 as suspended
    from ended e join seed_resellers r on r.place = e.reseller_place join products p on p.id = e.product_id
   order by e.n`;

/** A server runs three licenses. Its address derives from ids, which are never reused. */
const licenses = `
  insert into licenses (id, key, reseller_id, product_id, cycle_id, ip_address, hostname, cores, notes, issued_at, anchored_at,
                        expires_at, provisioned_at, suspended_at, suspended_by, suspension_reason, terminated_at, auto_renew,
                        agreed_renewal_price, updated_at, customer_name, customer_reference, tags)
  select d.id, d.key, d.reseller_id, d.product_id, d.cycle_id, host('10.0.0.0'::inet + (d.id - d.n + d.server * 3)),
         case when d.server % 10 = 9 then '' else
           (array['web', 'mail', 'db', 'vps', 'node', 'shop', 'cp', 'app'])[1 + d.server % 8] || d.server % 400 || '.'
           || (array['northgate', 'riverside', 'blue-harbor', 'oakfield', 'stonebridge', 'lakeview', 'redwood'])[1 + d.server % 7]
           || '-' || d.server / 400 || '.example' end,
         case when d.core_metered then 1 end,
         case when d.habit < 0.05 then 'Order ' || 100000 + d.n when d.habit between 0.5 and 0.53 then 'Rack B' || d.server % 90 else '' end,
         d.issued_at, d.issued_at, d.expires_at, d.issued_at,
         case when d.suspended then now() - interval '1 day' * (1 + d.n % 20) end, case when d.suspended then 'reseller'::suspended_by end,
         case when d.suspended then 'Payment overdue' else '' end,
         case when d.terminated then least(d.expires_at + interval '5 days', now()) end, d.habit < 0.35,
         (select p.price from prices p join resellers r on r.id = d.reseller_id
           where p.cycle_id = d.cycle_id and p.currency = r.currency and p.reseller_id is null),
         greatest(d.issued_at, now() - interval '1 day' * (d.n % 400)),
         case when d.server % 4 = 0 then (array['Northgate', 'Riverside', 'Oakfield', 'Lakeview'])[1 + d.server / 4 % 4] || ' ' || d.server / 40 || ' Ltd' else '' end,
         case when d.server % 4 = 0 then 'C-' || d.server / 40 else '' end,
         case when d.server % 5 = 0 then array['eu', 'managed'] when d.server % 997 = 0 then array['beta'] else '{}' end
    from seed_drafts d order by d.id`;

const claims = `
  insert into address_claims (license_id, reseller_id, product_id, ip_address, valid_from, valid_until)
  select l.id, l.reseller_id, l.product_id, l.ip_address, l.anchored_at, l.expires_at
    from seed_drafts d join licenses l on l.id = d.id where l.terminated_at is null order by l.id`;

/** The sandbox provider agrees, so a comparison finds no differences. */
const books = `
  insert into sandbox_provider_licenses (reference, product, ip_address, cores, expires_at, state)
  select l.key, d.provider_sku, l.ip_address, l.cores, l.expires_at,
         case when d.terminated then 'terminated' when d.suspended then 'suspended' else 'active' end
    from seed_drafts d join licenses l on l.id = d.id order by l.id`;

/** A registration and its renewals, at the current list price. */
const purchases = `
  create temp table seed_purchases on commit drop as
  select gen_random_uuid() as id, d.id as license_id, d.key, d.reseller_id, w.currency, term.number > 0 as renews,
         p.price + case when term.number = 0 then p.setup_fee else 0 end as price,
         d.issued_at + make_interval(months => term.number * d.months) - case when term.number > 0 then interval '1 day' else interval '0' end as at,
         d.issued_at + make_interval(months => term.number * d.months) as old_end,
         d.issued_at + make_interval(months => (term.number + 1) * d.months) as new_end, d.months, d.core_metered
    from seed_drafts d
    join wallets w on w.reseller_id = d.reseller_id
    join prices p on p.cycle_id = d.cycle_id and p.currency = w.currency and p.reseller_id is null
   cross join lateral generate_series(0, d.terms_had - 1) term (number)`;

/** All licenses have the one included core, so there are no lots. */
const paidTerms = `
  insert into paid_terms (license_id, reseller_id, months, starts_at, ends_at)
  select license_id, reseller_id, months, old_end, new_end from seed_purchases where core_metered order by old_end, license_id`;

/** Topped up at the start of each month by what that month charges, with a reserve, so no balance is negative. */
const moves = `
  create temp table seed_moves on commit drop as
  with spent as (
    select reseller_id, date_trunc('month', at) as month, sum(price) as total from seed_purchases group by 1, 2
  ), moved as (
    select reseller_id, at, id as operation_id, -price as amount, 1 as turn from seed_purchases where price <> 0
    union all
    select reseller_id, month, null, (ceil(total / 100000) * 100000)::bigint, 0 from spent
    union all
    select reseller_id, min(month), null, (ceil(sum(total) / 2000000) * 100000)::bigint, -1 from spent group by 1
  )
  select m.*, sum(amount) over (partition by reseller_id order by at, turn, operation_id rows unbounded preceding)::bigint as posted_after from moved m`;

/** ISO 8601 UTC, as plans store it. */
const instant = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const operations = `
  insert into operations (id, kind, state, reseller_id, license_id, hold_amount, price, currency, plan, balance_after, actor,
                          request_id, attempt, lease_token, created_at, sent_at, settled_at)
  select p.id, case when p.renews then 'license_renew' else 'license_register' end::operation_kind, 'succeeded', p.reseller_id,
         p.license_id, p.price, p.price, p.currency,
         jsonb_build_object('version', ${PLAN_VERSION}, 'provider', 'sandbox', 'steps', '[]'::jsonb,
           'onSuccess', '{"events": [], "licenses": []}'::jsonb, 'onRejection', '{"events": [], "licenses": []}'::jsonb,
           'facts', case when p.renews then jsonb_build_object('startsAt', ${instant("p.old_end")}, 'newExpiry', ${instant("p.new_end")}) else
                      jsonb_build_object('licenseKey', p.key, 'expiresAt', ${instant("p.new_end")}) end),
         m.posted_after, 'system:seed', 'seed', 1, p.id, p.at, p.at, p.at
    from seed_purchases p left join seed_moves m on m.operation_id = p.id order by p.at`;

const entries = `
  insert into ledger_entries (reseller_id, counter_account, kind, amount, posted_after, operation_id, subject_label, reference, method, note, actor, created_at)
  select m.reseller_id, case when operation_id is null then 'top_ups' else 'revenue' end::ledger_account,
         case when operation_id is null then 'top_up' else 'charge' end::ledger_entry_kind, amount, posted_after, operation_id,
         d.name || ' on ' || coalesce(nullif(l.hostname, ''), l.ip_address),
         case when operation_id is null then 'SEED-' || m.reseller_id || '-' || to_char(m.at, 'YYYY-MM') || case when turn < 0 then '-0' else '' end end,
         case when operation_id is null then 'bank_transfer'::payment_method end, '', 'system:seed', m.at
    from seed_moves m left join seed_purchases p on p.id = m.operation_id left join licenses l on l.id = p.license_id
    left join products d on d.id = l.product_id order by m.reseller_id, m.at, turn, operation_id`;

const revenue = `
  insert into revenue_months (reseller_id, month, product_id, bundle_id, revenue, cost, uncosted)
  select m.reseller_id, date_trunc('month', m.at at time zone 'UTC')::date, l.product_id, 0, -sum(m.amount),
         coalesce(sum(c.cost_price) filter (where c.cost_currency = p.currency), 0),
         coalesce(-sum(m.amount) filter (where c.cost_currency is distinct from p.currency), 0)
    from seed_moves m join seed_purchases p on p.id = m.operation_id join licenses l on l.id = p.license_id
    join billing_cycles c on c.id = l.cycle_id group by 1, 2, 3`;

const balances = `
  update wallets w set posted = m.total
    from (select reseller_id, sum(amount) as total from seed_moves group by 1) m where m.reseller_id = w.reseller_id`;

/** Of the last 30 days, the retention of events. */
const events = `
  insert into events (id, reseller_id, kind, data, license_id, operation_id, occurred_at)
  select gen_random_uuid(), p.reseller_id, case when p.renews then 'license.renewed' else 'license.activated' end,
         jsonb_build_object('license_id', 'lic_' || p.license_id, 'type', d.slug, 'server', coalesce(nullif(l.hostname, ''), l.ip_address))
           || case when p.renews then jsonb_build_object('expires_at', ${instant("p.new_end")}) else '{}' end,
         p.license_id, p.id, p.at
    from seed_purchases p join seed_drafts d on d.id = p.license_id join licenses l on l.id = p.license_id
   where p.at > now() - interval '30 days' order by p.at`;

/** Half of the licenses were verified within the 90 days that verifications are kept. */
const verifications = `
  insert into verifications (reseller_id, license_id, seen_ip, code, checked_at)
  select l.reseller_id, l.id, case when d.n % 40 = 0 then '203.0.113.9' else l.ip_address end,
         case when l.terminated_at is not null then 'TERMINATED' when l.suspended_at is not null then 'SUSPENDED'
              when l.expires_at <= now() then 'EXPIRED' when d.n % 40 = 0 then 'IP_MISMATCH' else 'VALID' end,
         now() - interval '90 days' * (d.n % 997) / 997
    from seed_drafts d join licenses l on l.id = d.id where d.n % 2 = 0`;

/** Two weeks of a key's use: one row per minute for frequent requests, one per request for the rest. */
const requests = `
  insert into api_requests (api_key_id, started_at, method, operation, status, request_count, total_duration_us, max_duration_us, request_id)
  select r.api_key_id, date_trunc('minute', now()) - interval '1 minute' * minute, 'POST', 'license.verify', 200, 40 + minute % 30,
         40000 + minute % 5000, 4000 + minute % 900, null
    from seed_resellers r cross join generate_series(1, least(20000, 10 + (select count(*) from seed_keys) / 50)) minute
   where r.place = 0 and r.api_key_id is not null
  union all
  select r.api_key_id, now() - interval '11 minutes' * request, 'GET', 'licenses', case when request % 50 = 0 then 400 else 200 end, 1,
         3000 + request % 700, 3000 + request % 700, 'seed_' || request
    from seed_resellers r cross join generate_series(1, least(1800, 10 + (select count(*) from seed_keys) / 100)) request
   where r.place = 0 and r.api_key_id is not null`;

export const statements: readonly Statement[] = [
  { title: "Drawing licenses", sql: drafts, makes: "seed_drafts" },
  { title: "Licenses", sql: licenses },
  { title: "Address claims", sql: claims },
  { title: "The provider's books", sql: books },
  { title: "Drawing purchases", sql: purchases, makes: "seed_purchases" },
  { title: "Paid terms", sql: paidTerms },
  { title: "Drawing balances", sql: moves, makes: "seed_moves" },
  { title: "Operations", sql: operations },
  { title: "Ledger entries", sql: entries },
  { title: "Revenue", sql: revenue },
  { title: "Wallets", sql: balances },
  { title: "Events", sql: events },
  { title: "Verifications", sql: verifications },
  { title: "Requests", sql: requests },
];
