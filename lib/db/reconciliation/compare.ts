import { int, nullable, text } from "#lib/db/connection/columns.ts";
import { defineGetValue } from "#lib/db/connection/define.ts";
import { getRow, statement } from "#lib/db/connection/statement.ts";
/** The statements of a comparison. Each takes a bounded chunk, so that no lock or list lasts long. */

import type { Database } from "#lib/db/connection/client.ts";
import { type ComparedFact, comparedFacts } from "#lib/domain/reconciliation.ts";
import type { Comparison } from "./comparison.ts";
import { licenseFacts, mayBeUnread, openCases, providerFacts, reportedFrom, reportedUntil } from "./facts.ts";

/** How long after its end a term is compared, and the greatest age of a rejected operation that may be adopted. */
const LOOKS_BACK = "interval '90 days'";

/** Whether a fact of `l` and of the provider's entry `e` differs; null or false if `e` does not report it. */
const differs = {
  product: "e.product <> l.provider_sku",
  address: "e.ip_address <> l.ip_address",
  cores: "e.cores_known and l.cores is not null and e.cores is distinct from l.cores",
  state: "e.state <> case when l.suspended_at is null then 'active' else 'suspended' end",
  term: `${reportedUntil} < date_trunc('second', l.expires_at) - make_interval(secs => $6)
         or ${reportedFrom} > date_trunc('second', l.expires_at) + make_interval(secs => $6)`,
} as const satisfies Record<ComparedFact, string>;

/** After a term has ended on both sides, only its end is compared. */
const differingFacts = comparedFacts
  .map((fact) => `case when (${differs[fact]}) and (${fact === "term"} or running) then '${fact}' end`)
  .join(",\n                 ");

/**
 * Whether the entry `e` shows that the provider carried out the step `s` of a rejected operation. A renewal must start
 * where our term ends; otherwise another one has superseded it.
 */
const carriedOut = `
  case s #>> '{request,action}'
    when 'set_address' then 'address' = any (a.differing) and e.ip_address = s #>> '{request,ipAddress}'
    when 'set_cores' then 'cores' = any (a.differing) and e.cores = (s #>> '{request,cores}')::int
    when 'suspend' then 'state' = any (a.differing) and e.state = 'suspended'
    when 'unsuspend' then 'state' = any (a.differing) and e.state = 'active'
    when 'terminate' then a.missing or $7 and 'state' = any (a.differing) and e.state = 'suspended'
    when 'set_term' then 'term' = any (a.differing)
      and (s #>> '{request,previousExpiresAt}')::timestamptz = date_trunc('second', l.expires_at)
      and ${reportedUntil} >= (s #>> '{request,expiresAt}')::timestamptz - make_interval(secs => $6)
      and ${reportedFrom} <= (s #>> '{request,expiresAt}')::timestamptz + make_interval(secs => $6)
    else false
  end`;

/**
 * Whether a rejected operation's plan can still be adopted. Its price is void once another operation has changed its
 * basis, its end once the license has changed in any way.
 */
const stillHolds = `
  o.price = 0 and o.kind <> 'license_terminate' or not exists (
    select from operations n
     where n.state = 'succeeded' and n.settled_at > o.settled_at
       and (n.license_id = l.id or n.bundle_instance_id = l.bundle_instance_id)
       and (o.kind = 'license_terminate' or n.kind in ('license_renew', 'bundle_renew', 'license_change_core')))`;

/** The provider's entry of a license `l`. Lateral, because the planner has no statistics of entries just written. */
const entryOfLicense = `
  lateral (select * from compared_book_entries b where b.comparison_id = $3 and b.reference = l.key limit 1)`;

export interface ComparedPiece<Edge> {
  /** Start of the next chunk; null at the end. */
  readonly next: Edge | null;
  readonly looked: number;
  readonly found: number;
}

/** Opens cases for operations whose outcome has been unknown since before `before`. Returns their number. */
export const openUnknownOutcomes = defineGetValue("open_unknown_outcomes", { found: int }).values(
  ({ id, provider, startedAt, lease }: Comparison, before: Date) => [provider, startedAt, before, id, lease.token],
)`
      with found as materialized (
        select 'unknown_outcome' as kind, coalesce(o.plan #>> '{steps,0,request,reference}', o.id::text) as reference,
               o.reseller_id, l.id as license_id, o.id as operation_id,
               jsonb_build_object(
                 'ledger', jsonb_build_object('paid', '0', 'held', o.hold_amount::text, 'price', o.price::text, 'currency', o.currency),
                 'ours', ${licenseFacts("'unclear'")}, 'provider', null, 'differing', '[]'::jsonb) as facts
          from operations o left join licenses l on l.key = o.plan #>> '{steps,0,request,reference}'
         where o.settled_at is null and o.created_at <= $3 and o.plan ->> 'provider' = $1
      ), ${openCases({ id: "$4", token: "$5" })}
      select count(*)::int as found from opened`;

const ledgerFacts = `
  (select jsonb_build_object('paid', paid_for_term(l.id, $2)::text, 'held', '0', 'price', '0', 'currency', w.currency)
     from wallets w where w.reseller_id = l.reseller_id)`;
const unpaidFacts = (operation: string) => `
  jsonb_build_object('paid', '0', 'held', '0', 'price', ${operation}.price::text, 'currency', ${operation}.currency)`;

const compareOurLicensesStatement = statement("compare_our_licenses", {
  last: nullable(int),
  read: int,
  looked: int,
  found: int,
})`
      with piece as (
        select * from licenses where id > $4 order by id limit $5
      ), ours as (
        select l.*, p.provider_sku
          from piece l join products p on p.id = l.product_id join resellers r on r.id = l.reseller_id
         where p.provider = $1 and r.sandbox_of is null
      ), apart as (
        select l.id, missing,
               case when missing then '{}' else array_remove(array[
                 ${differingFacts}], null) end as differing
          from ours l
          left join ${entryOfLicense} e on true
         cross join lateral (
           select e.reference is null or coalesce(e.state = 'terminated', false) as missing, greatest(l.expires_at, ${reportedUntil}) as last_end) ends
         cross join lateral (select last_end > $2 as running) runs
         where l.provisioned_at is not null and l.terminated_at is null and l.open_operation_id is null and l.updated_at < $2
           and e.state is distinct from 'pending'
           and case when missing then l.expires_at > $2 and not (${mayBeUnread("$3", "l.provider_sku")}) else last_end > $2::timestamptz - ${LOOKS_BACK} end
      ), found as materialized (
        select case when late.id is not null then 'late_success' when a.missing then 'charged_not_provisioned' else 'differs' end as kind,
               l.key as reference, l.reseller_id, l.id as license_id,
               coalesce(late.id,
                 case when a.missing then (select o.id from operations_of_term(l.id, $2) o order by o.settled_at limit 1)
                      when 'term' = any (a.differing) then
                        (select u.operation_id from unprovided_charges(l.id, ${reportedUntil}, make_interval(secs => $6)) u limit 1) end,
                 (select o.id from operations o where o.license_id = l.id or o.bundle_instance_id = l.bundle_instance_id
                   order by o.created_at desc limit 1)) as operation_id,
               jsonb_build_object(
                 'ledger', case when late.id is not null then ${unpaidFacts("late")} else ${ledgerFacts} end,
                 'ours', ${licenseFacts("case when l.suspended_at is null then 'active' else 'suspended' end")},
                 'provider', case when e.reference is not null then ${providerFacts} end,
                 'differing', to_jsonb(a.differing)) as facts
          from apart a
          join licenses l on l.id = a.id
          left join ${entryOfLicense} e on true
          left join lateral (
            select o.id, o.price, o.currency from operations o, jsonb_array_elements(o.plan -> 'steps') s
             where o.state = 'rejected' and o.kind <> 'license_correct'
               and (o.license_id = l.id or o.bundle_instance_id = l.bundle_instance_id)
               and o.created_at > $2::timestamptz - ${LOOKS_BACK} and s #>> '{request,reference}' = l.key
               and (${carriedOut}) and (${stillHolds})
             order by o.created_at desc limit 1) late on true
         where (a.missing or a.differing <> '{}')
           and not exists (
             select from operations o
              where (o.license_id = l.id or o.bundle_instance_id = l.bundle_instance_id) and coalesce(o.settled_at >= $2, true))
      ), ${openCases({ id: "$3", token: "$8" })}
      select max(id) as last, count(*)::int as read, (select count(*)::int from ours) as looked,
             (select count(*)::int from opened) as found from piece`;

/**
 * Compares our unterminated licenses with the provider's books. Skips unconfirmed licenses, those with an operation in
 * flight, those that changed since the comparison began, and those that ended long ago on both sides.
 */
export async function compareOurLicenses(
  db: Database,
  { id, provider, startedAt, toleranceMs, endsBySuspending, lease }: Comparison,
  piece: { readonly afterId: number; readonly limit: number },
): Promise<ComparedPiece<number>> {
  const { last, read, looked, found } = await getRow(db, compareOurLicensesStatement, [
    provider,
    startedAt,
    id,
    piece.afterId,
    piece.limit,
    toleranceMs / 1_000,
    endsBySuspending,
    lease.token,
  ]);
  return { next: read < piece.limit ? null : last, looked, found };
}

const compareProviderBooksStatement = statement("compare_provider_books", {
  last: nullable(text),
  looked: int,
  found: int,
})`
      with piece as (
        select * from compared_book_entries where comparison_id = $3 and reference > $4 order by reference limit $5
      ), found as materialized (
        select case when l.id is not null then 'provisioned_not_charged'
                    when d.license_key is not null then 'late_success' else 'unknown_at_ours' end as kind,
               e.reference,
               coalesce(l.reseller_id, (d.license ->> 'reseller_id')::int) as reseller_id,
               coalesce(l.id, (d.license ->> 'id')::int) as license_id,
               coalesce(o.id, (select t.id from operations_of_term(l.id, $2) t order by t.settled_at limit 1)) as operation_id,
               jsonb_build_object(
                 'ledger', case when l.id is not null then ${ledgerFacts}
                                when o.id is not null then ${unpaidFacts("o")} end,
                 'ours', case when l.id is not null then ${licenseFacts("'terminated'")}
                              when d.license is not null then jsonb_build_object(
                                'product', (select p.provider_sku from products p where p.id = (d.license ->> 'product_id')::int),
                                'address', d.license ->> 'ip_address', 'cores', d.license -> 'cores', 'state', 'refused',
                                'expires_at', d.license ->> 'expires_at') end,
                 'provider', ${providerFacts}, 'differing', '[]'::jsonb) as facts
          from piece e
          left join licenses l on l.key = e.reference
          left join discarded_registrations d on d.license_key = e.reference and l.id is null
          left join operations o on o.id = d.operation_id
         where coalesce(e.state in ('active', 'suspended'), true)
           and coalesce(${reportedUntil}, l.expires_at, (d.license ->> 'expires_at')::timestamptz, $2) >= $2
           and case when l.id is not null then l.terminated_at is not null and l.updated_at < $2 and l.open_operation_id is null
                    when d.license_key is not null then o.settled_at < $2
                    else not e.unread end
           and not ($6 and e.state = 'suspended' and (
                 d.license_key is not null
                 or exists (select from operations t where t.license_id = l.id and t.kind = 'license_terminate' and t.state = 'succeeded')
                 or exists (select from reconciliation_cases c
                             where c.provider = $1 and c.reference = e.reference and c.resolution = 'corrected')))
      ), ${openCases({ id: "$3", token: "$7" })}
      select max(reference) as last, count(*)::int as looked, (select count(*)::int from opened) as found from piece`;

/**
 * Compares the provider's entries that are not live here: unknown ones, terminated ones, and rejected registrations.
 * Skips expired entries, and terminated licenses that a provider without termination keeps suspended.
 */
export async function compareProviderBooks(
  db: Database,
  { id, provider, startedAt, endsBySuspending, lease }: Comparison,
  piece: { readonly afterReference: string; readonly limit: number },
): Promise<ComparedPiece<string>> {
  const { last, looked, found } = await getRow(db, compareProviderBooksStatement, [
    provider,
    startedAt,
    id,
    piece.afterReference,
    piece.limit,
    endsBySuspending,
    lease.token,
  ]);
  return { next: looked < piece.limit ? null : last, looked, found };
}
