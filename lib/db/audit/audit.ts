import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, boolean, int, jsonValue, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineRun } from "#lib/db/connection/define.ts";
import { escapeLikePattern } from "#lib/db/connection/like-pattern.ts";
import { listing, type PageInput } from "#lib/db/connection/listing.ts";
import { type RowOf, safeModeStatement, statement } from "#lib/db/connection/statement.ts";
import type { AuditAction, AuditChanges, AuditValue } from "#lib/domain/audit.ts";
import { selectActorName } from "./actor-name.ts";

const actor = selectActorName("a");

/** The author of a change, for statements that write their own audit entry. */
export interface ChangedBy<Actor = string> {
  /** As `actorName` formats it. */
  readonly actor: Actor;
  /** As `requestName` formats it. */
  readonly requestId: string;
  readonly now: Date;
}

/** Three parameters of a statement: who, when, by which request. */
export function changeValues({ actor, now, requestId }: ChangedBy<unknown>): readonly unknown[] {
  return [actor, now, requestId];
}

export interface AuditRecord {
  /** As `actorName` formats it. */
  readonly actor: string;
  /** As `requestName` formats it. */
  readonly requestId: string;
  readonly action: AuditAction;
  /** Null: no reseller, or all of them. */
  readonly resellerId: number | null;
  /** E.g. `provider:upstream`. */
  readonly subject: string;
  /** The subject's name at that time. */
  readonly label: string;
  readonly reason: string;
  /** Without secrets. */
  readonly data: { readonly [key: string]: AuditValue | AuditChanges };
  readonly at: Date;
}

/**
 * An audit entry for the same transaction as the change: `prisma.$transaction([prisma.product.update(…),
 * recordAudit(db, auditRecord(ctx, {…}))])`.
 */
export function recordAudit({ prisma }: Database, record: AuditRecord) {
  const { actor, action, resellerId, subject, reason, requestId, label, at } = record;
  const data = JSON.stringify(record.data);
  return prisma.$executeRaw`
    select write_audit_entry(${actor}, ${action}, ${resellerId}::int, ${subject}, ${reason}, ${data}::jsonb,
                             ${at}::timestamptz, ${requestId}, ${label})`;
}

/** For a statement that writes its own entry: a call that takes `auditValues` from parameter `first` on. */
export function writeAudit(first: number): string {
  const [actor, action, reseller, subject, reason, data, at, request, label] = Array.from(
    { length: 9 },
    (_, position) => `$${first + position}`,
  );
  return `write_audit_entry(${actor}, ${action}, ${reseller}::int, ${subject}, ${reason}, ${data}::jsonb, ${at}::timestamptz, ${request}, ${label})`;
}

export function auditValues(record: AuditRecord): readonly unknown[] {
  const { actor, action, resellerId, subject, reason, data, at, requestId, label } = record;
  return [actor, action, resellerId, subject, reason, JSON.stringify(data), at, requestId, label];
}

/** An audit entry about something that was read, or about access: also in safe mode. */
export const recordRead = defineRun("record_read", safeModeStatement).values(auditValues)`select ${writeAudit(1)}`;

/** An audit entry about what somebody was not allowed to do, at most once an hour for each person and subject. */
export const recordDenial = defineRun("record_denial", safeModeStatement).values(auditValues)`
      select ${writeAudit(1)}
       where not exists (select from audit_entries a
                          where a.subject = $4 and a.action = $2 and a.actor = split_part($1, ' as reseller:', 1)
                            and a.created_at > $7::timestamptz - interval '1 hour')`;

const auditRow = {
  id: bigint,
  at: timestamp,
  /** `user:7`, `system:worker`, `system:visitor`. */
  actor: text,
  /** Name of the user or API key that `actor` refers to, if any. */
  actorName: nullable(text),
  actorIsAdmin: boolean,
  actingAsName: nullable(text),
  action: text,
  resellerId: nullable(int),
  resellerName: nullable(text),
  resellerCurrency: nullable(text),
  subject: text,
  /** The subject's name at that time; may be empty. */
  subjectLabel: text,
  reason: text,
  data: as<{ readonly [key: string]: AuditValue }>(jsonValue),
  requestId: text,
  /** Source address of the request; may be empty. */
  address: text,
};
export type AuditRow = RowOf<typeof auditRow>;

export interface AuditFilter {
  /** `user:7`, or part of a user's name or email address. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly resellerId?: number | undefined;
  /** `case:3`, or part of the subject's label. */
  readonly subject?: string | undefined;
  /** The source address of the request, in canonical text. */
  readonly address?: string | undefined;
  readonly from?: Date | undefined;
  readonly until?: Date | undefined;
}

const listAuditEntries = statement("list_audit_entries", auditRow)`
      select a.id, a.created_at as at, a.actor, ${actor.column}, au.id is not null and au.reseller_id is null as "actorIsAdmin", acting.name as "actingAsName", a.action,
             a.reseller_id as "resellerId", r.name || case when r.sandbox_of is null then '' else ' (test mode)' end as "resellerName", r.currency as "resellerCurrency",
             a.subject, a.subject_label as "subjectLabel", a.reason, a.data, a.request_id as "requestId", a.address
        from audit_entries a${actor.joins}
        left join resellers r on r.id = a.reseller_id
        left join resellers acting on acting.id = a.acting_as_reseller_id
       where ($1::text is null or (a.actor = $1 and ($11 or au.id is null or au.reseller_id is not null))
              or a.actor in (select 'user:' || p.id from users p
                              where (p.name ilike $2 or p.email ilike $2) and ($11 or p.reseller_id is not null)))
         and ($11 or a.action not like 'reconciliation.%')
         and ($3::text is null or a.action = $3)
         and ($4::int is null or a.reseller_id = $4)
         and ($5::text is null or a.subject = $5 or a.subject_label ilike $6)
         and ($7::timestamptz is null or a.created_at >= $7) and ($8::timestamptz is null or a.created_at < $8)
         and ($12::text is null
              or (a.address = $12 and a.address <> ''
                  and ($11 or a.actor = 'system:visitor'
                       or (a.actor not like 'system:%' and (au.id is null or au.reseller_id is not null)))))
         and ($9::bigint is null or a.id < $9)
       order by a.id desc limit $10`;

/** Newest first. `before`: older than this id; `forAdmins`: with cases, and found by the names and addresses of admins. */
export function auditListing(db: Database, filter: AuditFilter, { forAdmins }: { readonly forAdmins: boolean }) {
  const { actor, action, resellerId, subject, address, from, until } = filter;
  const like = (text: string | undefined) => (text === undefined ? null : `%${escapeLikePattern(text)}%`);
  const [actorPattern, subjectPattern] = [like(actor), like(subject)];
  return listing(db, ({ before, limit }: PageInput<bigint>) => [
    listAuditEntries,
    [actor, actorPattern, action, resellerId, subject, subjectPattern, from, until, before, limit, forAdmins, address],
  ]);
}
