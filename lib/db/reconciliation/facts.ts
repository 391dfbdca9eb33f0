/** Shared SQL of comparison statements: the facts of a case, and opening one. */
import { type ComparedFact, comparedFacts } from "#lib/domain/reconciliation.ts";

/** Whether a comparison still has its lease. */
export const hasLease = ({ id, token }: { readonly id: string; readonly token: string }) => `
  exists (select from provider_comparisons mine where mine.id = ${id} and mine.lease_token = ${token}::uuid and mine.finished_at is null)`;

/** The earliest and latest possible end of the term of the provider's entry `e`; null if not reported. */
export const reportedFrom = "coalesce(e.expires_at, e.expires_on::timestamp at time zone 'UTC')";
export const reportedUntil =
  "coalesce(e.expires_at, (e.expires_on + 1)::timestamp at time zone 'UTC' - interval '1 second')";

const timestampOf = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** Whether the provider's entry `e` reports a fact. */
export const isReported = {
  product: "e.product is not null",
  address: "e.ip_address is not null",
  cores: "e.cores_known",
  state: "e.state is not null",
  term: "coalesce(e.expires_at, e.expires_on) is not null",
} as const satisfies Record<ComparedFact, string>;

/** Whether an entry that was not read may be the license `l`, whose name at the provider is not known. */
export const mayBeUnread = (comparison: string, product: string) => `
  l.provider_reference is null and exists (
    select from compared_book_entries u
     where u.comparison_id = ${comparison} and u.unread and coalesce(u.product = ${product}, true)
       and coalesce(u.ip_address = l.ip_address, true))`;

const unreported = comparedFacts.map((fact) => `case when not (${isReported[fact]}) then '${fact}' end`).join(", ");

export const providerFacts = `
  jsonb_build_object('product', e.product, 'address', e.ip_address, 'cores', e.cores, 'state', coalesce(e.state, 'active'),
                     'expires_at', ${timestampOf("e.expires_at")}, 'expires_on', to_char(e.expires_on, 'YYYY-MM-DD'),
                     'name', e.provider_reference, 'unreported', to_jsonb(array_remove(array[${unreported}], null)))`;

/** Of our license `l`, or null. */
export const licenseFacts = (state: string) => `
  (select jsonb_build_object('product', p.provider_sku, 'address', l.ip_address, 'cores', l.cores, 'state', ${state},
                             'expires_at', ${timestampOf("l.expires_at")})
     from products p where p.id = l.product_id)`;

/** The keys of a fact in the two sides of a case. */
const keysOf = {
  product: ["product"],
  address: ["address"],
  cores: ["cores"],
  state: ["state"],
  term: ["expires_at", "expires_on"],
} as const satisfies Record<ComparedFact, readonly string[]>;

const differingSides = comparedFacts
  .map((fact) => {
    const values = keysOf[fact].flatMap((key) => [`f.facts #>> '{ours,${key}}'`, `f.facts #>> '{provider,${key}}'`]);
    return `case when f.facts -> 'differing' ? '${fact}' then concat_ws(' ', '${fact}', ${values.join(", ")}) end`;
  })
  .join(", ");

/**
 * A hash of the difference and of the end of the paid term, so that a dismissed case stays dismissed when other facts
 * change, or are reported or not, but not when another term is charged. `f` is a row of `found`.
 */
const fingerprint = `
  md5(concat_ws('|', f.kind, case when f.kind = 'late_success' then f.operation_id::text
                             when f.kind in ('charged_not_provisioned', 'differs') then f.facts #>> '{ours,expires_at}' end,
                f.facts -> 'differing',
                f.facts #>> '{ours,state}', f.facts #>> '{provider,state}', ${differingSides}))`;

/**
 * Opens or refreshes a case for every row of `found(kind, reference, reseller_id, license_id, operation_id, facts)`. A
 * dismissed case stays dismissed while its difference is the same. $1 provider, $2 the comparison's start.
 * @param comparison placeholders of its id and token; without its lease, opens nothing
 */
export const openCases = (comparison: { readonly id: string; readonly token: string }) => `
  marked as materialized (
    select f.*, ${fingerprint} as fingerprint from found f
  ), still_dismissed as (
    update reconciliation_cases d set last_seen_at = $2
      from marked m
     where d.provider = $1 and d.reference = m.reference and d.kind = m.kind::reconciliation_case_kind
       and d.resolution = 'dismissed' and d.fingerprint = m.fingerprint and ${hasLease(comparison)}
  ), opened as (
    insert into reconciliation_cases (kind, provider, reference, reseller_id, license_id, operation_id, facts, fingerprint, first_seen_at, last_seen_at)
    select m.kind::reconciliation_case_kind, $1, m.reference, m.reseller_id, m.license_id, m.operation_id, m.facts, m.fingerprint, $2, $2
      from marked m
     where not exists (
       select from reconciliation_cases d
        where d.provider = $1 and d.reference = m.reference and d.kind = m.kind::reconciliation_case_kind
          and d.resolution = 'dismissed' and d.fingerprint = m.fingerprint)
       and ${hasLease(comparison)}
     -- Locks the cases that it refreshes by their ids, as every decision does.
     order by (select o.id from reconciliation_cases o
                where o.provider = $1 and o.reference = m.reference and o.kind = m.kind::reconciliation_case_kind and o.resolved_at is null)
    on conflict (provider, reference, kind) where resolved_at is null do update set
      last_seen_at = excluded.last_seen_at, facts = excluded.facts, fingerprint = excluded.fingerprint,
      license_id = excluded.license_id, operation_id = excluded.operation_id
    returning 1
  )`;
