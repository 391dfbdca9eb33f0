/** What a comparison looks for: each statement takes a bounded piece, so none holds a lock or a list for long. */
import type { Database } from "./client.ts";
import type { Comparison } from "./reconciliation-comparison.ts";

/**
 * Opens a case for every row of `found(kind, reference, reseller_id, license_id, operation_id, facts)`, or refreshes the
 * one that is open. What was dismissed stays so while it is the same. $1 provider, $2 the comparison's start.
 */
const openCases = `
  marked as (
    select f.*, md5((f.facts - 'ledger' #- '{ours,expires_at}')::text) as fingerprint from found f
  ), opened as (
    insert into reconciliation_cases (kind, provider, reference, reseller_id, license_id, operation_id, facts, fingerprint, first_seen_at, last_seen_at)
    select m.kind::reconciliation_case_kind, $1, m.reference, m.reseller_id, m.license_id, m.operation_id, m.facts, m.fingerprint, $2, $2
      from marked m
     where not exists (
       select from reconciliation_cases d
        where d.provider = $1 and d.reference = m.reference and d.kind = m.kind::reconciliation_case_kind
          and d.resolution = 'dismissed' and d.fingerprint = m.fingerprint)
    on conflict (provider, reference, kind) where resolved_at is null do update set
      last_seen_at = excluded.last_seen_at, facts = excluded.facts, fingerprint = excluded.fingerprint,
      license_id = excluded.license_id, operation_id = excluded.operation_id
    returning 1
  )`;

const providerFacts = `
  jsonb_build_object('address', e.ip_address, 'cores', e.cores, 'state', e.state, 'name', e.provider_reference, 'product', e.product)`;
const licenseFacts = (state: string) => `
  jsonb_build_object('address', l.ip_address, 'cores', l.cores, 'state', ${state}, 'expires_at', l.expires_at)`;
const unpaidFacts = (operation: string) => `
  jsonb_build_object('paid', '0', 'held', '0', 'price', ${operation}.price::text, 'currency', ${operation}.currency)`;
const ledgerFacts = `
  (select jsonb_build_object('paid', paid_for_term(l.id)::text, 'held', '0', 'price', '0', 'currency', w.currency)
     from wallets w where w.reseller_id = l.reseller_id)`;

/** Operations whose outcome has been open since before `before`. Returns how many. */
export async function openUnknownOutcomes(
  db: Database,
  { provider, startedAt }: Comparison,
  before: Date,
): Promise<number> {
  const [row] = await db.query<{ found: number }>({
    name: "open_unknown_outcomes",
    text: `
      with found as (
        select 'unknown_outcome' as kind, o.plan #>> '{steps,0,request,reference}' as reference, o.reseller_id, l.id as license_id,
               o.id as operation_id,
               jsonb_build_object(
                 'ledger', jsonb_build_object('paid', '0', 'held', o.hold_amount::text, 'price', o.price::text, 'currency', o.currency),
                 'ours', ${licenseFacts("'unclear'")}, 'provider', null, 'differing', '[]'::jsonb, 'operation', o.id) as facts
          from operations o left join licenses l on l.key = o.plan #>> '{steps,0,request,reference}'
         where o.state in ('held', 'sent', 'unknown') and o.created_at <= $3 and o.plan ->> 'provider' = $1
      ), ${openCases}
      select count(*)::int as found from opened`,
    values: [provider, startedAt, before],
  });
  return row?.found ?? 0;
}

export interface ComparedPiece<Edge> {
  /** Where the next piece begins; null at the end. */
  readonly next: Edge | null;
  readonly looked: number;
  readonly found: number;
}

/**
 * Our live licenses against the provider's books. Left out: what has expired, is not confirmed yet, has an operation in
 * flight, or has changed since the comparison began.
 */
export async function compareOurLicenses(
  db: Database,
  { id, provider, startedAt }: Comparison,
  piece: { readonly afterId: number; readonly limit: number },
): Promise<ComparedPiece<number>> {
  const [row] = await db.query<{ last: number | null; looked: number; found: number }>({
    name: "compare_our_licenses",
    text: `
      with piece as (
        select l.* from licenses l join products p on p.id = l.product_id
         where p.provider = $1 and l.id > $4 order by l.id limit $5
      ), apart as (
        select l.id, e.reference is null or e.state = 'terminated' as missing,
               array_remove(array[
                 case when e.ip_address <> l.ip_address then 'address' end,
                 case when e.cores_told and l.cores is not null and e.cores <> l.cores then 'cores' end,
                 case when e.state <> case when l.suspended_at is null then 'active' else 'suspended' end then 'state' end], null) as differing
          from piece l left join compared_book_entries e on e.comparison_id = $3 and e.reference = l.key
         where l.provisioned_at is not null and l.terminated_at is null and l.expires_at > $2 and l.open_operation_id is null
           and l.updated_at < $2 and e.state is distinct from 'pending'
      ), found as (
        select case when a.missing then 'charged_not_provisioned' when late.id is not null then 'late_success' else 'differs' end as kind,
               l.key as reference, l.reseller_id, l.id as license_id,
               coalesce(late.id, case when a.missing then (select o.id from operations_of_term(l.id) o order by o.settled_at limit 1)
                                 else (select o.id from operations o where o.license_id = l.id order by o.created_at desc limit 1) end) as operation_id,
               jsonb_build_object(
                 'ledger', case when late.id is not null then ${unpaidFacts("late")} else ${ledgerFacts} end,
                 'ours', ${licenseFacts("case when l.suspended_at is null then 'active' else 'suspended' end")},
                 'provider', case when e.reference is not null then ${providerFacts} end,
                 'differing', to_jsonb(case when a.missing then '{}'::text[] else a.differing end)) as facts
          from apart a
          join licenses l on l.id = a.id
          left join compared_book_entries e on e.comparison_id = $3 and e.reference = l.key
          left join lateral (
            select o.id, o.price, o.currency from operations o, jsonb_array_elements(o.plan -> 'steps') s
             where not a.missing and o.state = 'rejected' and (o.license_id = l.id or o.bundle_instance_id = l.bundle_instance_id)
               and s #>> '{request,reference}' = l.key
               and case s #>> '{request,action}'
                     when 'set_address' then a.differing = '{address}' and e.ip_address = s #>> '{request,ipAddress}'
                     when 'set_cores' then a.differing = '{cores}' and e.cores = (s #>> '{request,cores}')::int
                     when 'suspend' then a.differing = '{state}' and e.state = 'suspended'
                     when 'unsuspend' then a.differing = '{state}' and e.state = 'active'
                     else false end
               and not exists (
                 select from operations n
                  where n.state = 'succeeded' and n.settled_at > o.settled_at
                    and (n.license_id = l.id or n.bundle_instance_id = l.bundle_instance_id))
             order by o.created_at desc limit 1) late on true
         where a.missing or a.differing <> '{}'
      ), ${openCases}
      select max(id) as last, count(*)::int as looked, (select count(*)::int from opened) as found from piece`,
    values: [provider, startedAt, id, piece.afterId, piece.limit],
  });
  const looked = row?.looked ?? 0;
  return { next: looked < piece.limit ? null : (row?.last ?? null), looked, found: row?.found ?? 0 };
}

/**
 * What the provider holds that we do not: nothing of ours has its name, we have ended it, or its registration was taken
 * as refused. What has expired, here or there, is no difference; nor is that a provider which ends nothing keeps suspended what
 * was ended there.
 */
export async function compareProviderBooks(
  db: Database,
  { id, provider, startedAt }: Comparison,
  piece: { readonly afterReference: string; readonly limit: number },
): Promise<ComparedPiece<string>> {
  const [row] = await db.query<{ last: string | null; looked: number; found: number }>({
    name: "compare_provider_books",
    text: `
      with piece as (
        select * from compared_book_entries where comparison_id = $3 and reference > $4 order by reference limit $5
      ), found as (
        select case when d.license_key is not null then 'late_success' else 'provisioned_not_charged' end as kind, e.reference,
               coalesce(l.reseller_id, (d.license ->> 'reseller_id')::int) as reseller_id,
               coalesce(l.id, (d.license ->> 'id')::int) as license_id,
               coalesce(o.id, (select t.id from operations_of_term(l.id) t order by t.settled_at limit 1)) as operation_id,
               jsonb_build_object(
                 'ledger', case when l.id is not null then ${ledgerFacts}
                                when o.id is not null then ${unpaidFacts("o")} end,
                 'ours', case when l.id is not null then ${licenseFacts("'terminated'")}
                              when d.license is not null then jsonb_build_object(
                                'address', d.license ->> 'ip_address', 'cores', d.license -> 'cores', 'state', 'refused',
                                'expires_at', d.license ->> 'expires_at') end,
                 'provider', ${providerFacts}, 'differing', '[]'::jsonb) as facts
          from piece e
          left join licenses l on l.key = e.reference
          left join discarded_registrations d on d.license_key = e.reference and l.id is null
          left join operations o on o.id = d.operation_id
         where e.state in ('active', 'suspended') and coalesce(e.expires_on >= to_char($2::timestamptz at time zone 'UTC', 'YYYY-MM-DD'), true)
           and case when l.id is not null then l.terminated_at is not null and l.expires_at > $2 and l.updated_at < $2
                                               and l.open_operation_id is null and not (e.state = 'suspended' and exists (
                                                 select from operations t where t.license_id = l.id
                                                    and t.kind = 'license_terminate' and t.state = 'succeeded'))
                    when d.license_key is not null then (d.license ->> 'expires_at')::timestamptz > $2 and o.settled_at < $2
                    else true end
      ), ${openCases}
      select max(reference) as last, count(*)::int as looked, (select count(*)::int from opened) as found from piece`,
    values: [provider, startedAt, id, piece.afterReference, piece.limit],
  });
  const looked = row?.looked ?? 0;
  return { next: looked < piece.limit ? null : (row?.last ?? null), looked, found: row?.found ?? 0 };
}
