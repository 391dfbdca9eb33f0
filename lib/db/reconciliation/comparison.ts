import type { Database } from "#lib/db/connection/client.ts";
import { int, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineList, defineListValues, defineRun } from "#lib/db/connection/define.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import type { ProviderTraits } from "#lib/domain/provider-traits.ts";
import { comparedFacts } from "#lib/domain/reconciliation.ts";
import { termToleranceMs } from "#lib/domain/reported-term.ts";
import { hasLease, isReported, mayBeUnread, reportedUntil } from "./facts.ts";

/** A running comparison. Changes since `startedAt` are left to the next one. */
export interface Comparison {
  readonly id: number;
  readonly provider: string;
  readonly startedAt: Date;
  /** Largest distance between two ends of a term that is not a difference. */
  readonly toleranceMs: number;
  readonly endsBySuspending: boolean;
  readonly lease: Lease;
}

/** Whether the entry `e` lacks a fact in which the case `c` differs. */
const unreportedDifference = comparedFacts
  .map((fact) => `c.facts -> 'differing' ? '${fact}' and not (${isReported[fact]})`)
  .join(" or ");

const endInterruptedComparison = statement("end_interrupted_comparison")`
      with ended as (
        update provider_comparisons set finished_at = $2, failure_message = 'It was interrupted.'
         where provider = $1 and finished_at is null and owner_id is null returning id
      )
      delete from compared_book_entries where comparison_id in (select id from ended)`;

const beginComparisonStatement = statement("begin_comparison", { id: int })`
      insert into provider_comparisons (provider, actor, started_at, owner_id, lease_token)
      select p.name, $2, $3, $4, $5 from providers p where p.name = $1 for key share
      on conflict (provider) where finished_at is null do nothing returning id`;

/** Null: a comparison of the provider is running, or it is gone. Ends an interrupted one first. */
export async function beginComparison(
  db: Database,
  lease: Lease,
  start: {
    readonly provider: string;
    readonly traits: ProviderTraits;
    readonly actor: string;
    readonly now: Date;
  },
): Promise<Comparison | null> {
  await db.query(endInterruptedComparison, [start.provider, start.now]);
  const [row] = await db.query(beginComparisonStatement, [
    start.provider,
    start.actor,
    start.now,
    lease.ownerId,
    lease.token,
  ]);
  if (!row) return null;
  const { provider, traits, now: startedAt } = start;
  const { terms, endsBySuspending } = traits;
  return { id: row.id, provider, startedAt, toleranceMs: termToleranceMs[terms], endsBySuspending, lease };
}

/** Releases a comparison that this process does not finish, even if it is not known whether it was started. */
export const releaseComparison = defineRun("release_comparison").values(({ ownerId, token }: Lease) => [
  ownerId,
  token,
])`update provider_comparisons set owner_id = null where finished_at is null and owner_id = $1 and lease_token = $2`;

/**
 * Closes open and dismissed cases that were not found again and whose subject was compared. Keeps a case while its license
 * changes, if these books do not report the differing fact or the license's record was not read, and if its term has ended:
 * unprovided paid time remains a difference.
 * `complete` false: the books could not be read, so only operations were compared.
 */
export const closeAgreeingCases = defineRun("close_agreeing_cases").values(
  ({ id, provider, startedAt, lease }: Comparison, complete: boolean) => {
    return [provider, startedAt, complete, id, lease.token];
  },
)`
      with agreeing as materialized (
        select c.id from reconciliation_cases c
         where c.provider = $1 and c.last_seen_at < $2 and ${hasLease({ id: "$4", token: "$5" })}
           and (c.resolved_at is null or c.resolution = 'dismissed' and not exists (
             select from reconciliation_cases o
              where o.provider = $1 and o.reference = c.reference and o.kind = c.kind and o.last_seen_at = $2))
           and case when c.kind = 'unknown_outcome'
                    then not exists (select from operations o where o.id = c.operation_id and o.settled_at is null)
                    else $3 and not exists (
                      select from licenses l left join compared_book_entries e on e.comparison_id = $4 and e.reference = l.key
                       where l.key = c.reference and (
                         l.open_operation_id is not null or l.updated_at >= $2 or coalesce(e.state = 'pending', false)
                         or l.terminated_at is null and (
                           c.kind = 'charged_not_provisioned' and coalesce(e.state = 'terminated', true)
                             and (l.expires_at <= $2 or ${mayBeUnread("$4", "c.facts #>> '{ours,product}'")})
                           or e.reference is not null and (${unreportedDifference}
                             or jsonb_array_length(c.facts -> 'differing') > 0 and greatest(l.expires_at, ${reportedUntil}) <= $2))))
                         and not exists (
                      select from compared_book_entries u
                       where u.comparison_id = $4 and u.unread and u.provider_reference = c.facts #>> '{provider,name}') end
         order by c.id for no key update
      )
      update reconciliation_cases c set resolved_at = $2, resolution = 'agrees' from agreeing a where c.id = a.id`;

export const finishComparison = defineRun("finish_comparison").values(
  (
    { id, lease }: Comparison,
    end: {
      readonly now: Date;
      readonly licenseCount: number;
      readonly differenceCount: number;
      readonly failureMessage: string | null;
    },
  ) => {
    const { now, licenseCount, differenceCount, failureMessage } = end;
    return [id, now, licenseCount, differenceCount, failureMessage, lease.token];
  },
)`
      with finished as (
        update provider_comparisons set finished_at = $2, license_count = $3, difference_count = $4, failure_message = $5,
                                        owner_id = null
         where id = $1 and lease_token = $6 and finished_at is null returning id
      )
      delete from compared_book_entries where comparison_id in (select id from finished)`;

const lastComparison = {
  provider: text,
  /** Of the finished one; of the unfinished one if none has finished. */
  startedAt: timestamp,
  /** Null: none has finished. */
  finishedAt: nullable(timestamp),
  heldCount: int,
  licenseCount: int,
  /** Null if it read the books to the end. */
  failureMessage: nullable(text),
  /** The start of the comparison that a process is running. */
  runningSince: nullable(timestamp),
  /** All open cases of this provider. */
  openCaseCount: int,
};
/** The last finished comparison of a provider, and whether one is running. */
export type LastComparison = RowOf<typeof lastComparison>;

/** By the provider's name, without providers that were never compared. */
export const listLastComparisons = defineList("list_last_comparisons", lastComparison)`
      select p.name as provider, coalesce(f.started_at, u.started_at) as "startedAt", f.finished_at as "finishedAt",
             coalesce(f.held_count, 0) as "heldCount", coalesce(f.license_count, 0) as "licenseCount",
             f.failure_message as "failureMessage",
             case when u.owner_id is not null then u.started_at end as "runningSince",
             (select count(*)::int from reconciliation_cases r where r.provider = p.name and r.resolved_at is null) as "openCaseCount"
        from providers p
        left join lateral (
               select * from provider_comparisons c
                where c.provider = p.name and c.finished_at is not null order by c.id desc limit 1) f on true
        left join provider_comparisons u on u.provider = p.name and u.finished_at is null
       where f.id is not null or u.id is not null
       order by p.name`;

/** Names that products or licenses can have, in order. */
export const listProviderNames = defineListValues("list_provider_names", { name: text })`
      select name from providers where kind <> 'test' order by name`;
