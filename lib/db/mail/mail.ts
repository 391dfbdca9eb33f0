import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, bytes, int, jsonObject, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineGetValue, defineList, defineRun } from "#lib/db/connection/define.ts";
import { escapeLikePattern } from "#lib/db/connection/like-pattern.ts";
import { listing, type PageInput } from "#lib/db/connection/listing.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import { MailState } from "#lib/db/generated/enums.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { type MailKind, mailKinds } from "#lib/domain/mail/kinds.ts";

export type { MailState } from "#lib/db/generated/enums.ts";

const claimedMail = {
  id: bigint,
  messageId: text,
  kind: as<MailKind>(text),
  userId: as<UserId>(int),
  recipient: text,
  data: jsonObject,
  secret: nullable(bytes),
  attemptCount: int,
  sendUntil: timestamp,
};
/** A message that only the caller may send. */
export type ClaimedMailRow = RowOf<typeof claimedMail>;

/** `prisma/sql/functions/claim_mails.sql`. */
export const claimMails = defineList("claim_mails", claimedMail).values(
  (lease: Lease, claim: { readonly now: Date; readonly slots: number }) => [
    lease.ownerId,
    lease.token,
    claim.now,
    claim.slots,
    Object.keys(mailKinds),
  ],
)`
      select id, message_id as "messageId", kind, user_id as "userId", recipient, data, secret,
             attempt_count as "attemptCount", send_until as "sendUntil"
        from claim_mails($1, $2, $3, $4, $5) order by id`;

/** Releases a claimed message without a result; without an id, all claimed under the lease. */
export const releaseMails = defineRun("release_mails").values((lease: Lease, id: bigint | null) => [
  lease.ownerId,
  lease.token,
  id,
])`
      update mails set owner_id = null where owner_id = $1 and lease_token = $2 and ($3::bigint is null or id = $3)`;

/** `forget_mail_links` has stored why. */
const isForgotten = "(secret is null and secret_until is not null)";

/**
 * Forgets the link of a delivered message, and gives up one whose link was forgotten meanwhile. `error` null: delivered;
 * `nextAttemptAt` null: given up.
 */
export const recordMailAttempt = defineRun("record_mail_attempt").values(
  (
    lease: Lease,
    result: {
      readonly id: bigint;
      readonly endedAt: Date;
      readonly error: string | null;
      readonly nextAttemptAt: Date | null;
    },
  ) => {
    const { id, endedAt, error, nextAttemptAt } = result;
    return [id, lease.token, endedAt, error, nextAttemptAt];
  },
)`
      update mails set owner_id = null,
             error = case when $4::text is not null and ${isForgotten} then coalesce(error, $4) else $4 end,
             state = case when $4::text is null then 'sent' when $5::timestamptz is null or ${isForgotten} then 'failed'
                          else 'pending' end::mail_state,
             sent_at = case when $4::text is null then $3::timestamptz end,
             secret = case when $4::text is null then null else secret end,
             next_attempt_at = coalesce($5, next_attempt_at)
       where id = $1 and lease_token = $2 and state = 'pending'`;

/**
 * To the admins who want it, once a day (UTC) for the same checks. Returns the number of messages.
 * @param checks names of the checks that failed
 */
export const queueProblemMailRows = defineGetValue("queue_problem_mails", { count: int }).values(
  (checks: readonly string[], problems: readonly string[], now: Date) => [checks.toSorted().join(","), problems, now],
)`
      with queued as (
        select queue_mail(gen_random_uuid(), 'system_problems', u, jsonb_build_object('problems', $2::text[]), null, null, k.once_key, $3)
          from users u, lateral (select 'system_problems:' || u.id || ':' || $1 || ':' || ($3::timestamptz at time zone 'UTC')::date as once_key) k
         where u.reseller_id is null and u.disabled_at is null and wants_mail('system_problems', u)
           and not exists (select from mails m where m.once_key = k.once_key)
      )
      select count(*)::int from queued`;

/** `prisma/sql/functions/queue_digest_mails.sql`. Returns the number of messages. */
export const queueDigestMailRows = defineGetValue("queue_digest_mails", { count: int })<[now: Date]>`
      select queue_digest_mails($1) as count`;

/** To those of a reseller's users who want it, once for each `until`. Returns the number of messages. */
export const queueRunwayMailRows = defineGetValue("queue_runway_mails", { count: int })<
  [resellerId: ResellerId, data: { readonly until: string }, now: Date]
>`
      with queued as (
        select queue_mail(gen_random_uuid(), 'runway_end', u, $2::jsonb, null, null, k.once_key, $3)
          from users u, lateral (select 'runway_end:' || u.id || ':' || ($2::jsonb ->> 'until') as once_key) k
         where u.reseller_id = $1 and wants_mail('runway_end', u) and not exists (select from mails m where m.once_key = k.once_key)
      )
      select count(*)::int from queued`;

const mailRow = {
  /** Decimal; grows with time. */
  id: text,
  kind: as<MailKind>(text),
  recipient: text,
  userId: as<UserId>(int),
  userName: text,
  state: oneOf(MailState),
  attemptCount: int,
  nextAttemptAt: timestamp,
  error: nullable(text),
  createdAt: timestamp,
  sentAt: nullable(timestamp),
};
export type MailRow = RowOf<typeof mailRow>;

const columns = `
  m.id::text as id, m.kind, m.recipient, m.user_id as "userId", u.name as "userName", m.state, m.attempt_count as "attemptCount",
  m.next_attempt_at as "nextAttemptAt", m.error, m.created_at as "createdAt", m.sent_at as "sentAt"`;

const listMailsStatement = statement("list_mails", mailRow)`
      select ${columns} from mails m join users u on u.id = m.user_id
       where ($1::bigint is null or m.id < $1) and ($2::mail_state is null or m.state = $2)
         and ($3::text is null or m.recipient ilike $3)
       order by m.id desc limit $4`;

/** Newest first. `before`: id of the previous page's last message; `recipient`: part of an address. */
export function mailListing(
  db: Database,
  { state, recipient }: { readonly state: MailState | null; readonly recipient: string | null },
) {
  const pattern = recipient === null ? null : `%${escapeLikePattern(recipient)}%`;
  return listing(db, ({ before, limit }: PageInput<string>) => [listMailsStatement, [before, state, pattern, limit]]);
}

const storedMail = { ...mailRow, messageId: text, data: jsonObject, secret: nullable(bytes) };
export type StoredMailRow = RowOf<typeof storedMail>;

export const findMailRow = defineFind("find_mail", storedMail)<[id: string]>`
      select ${columns}, m.message_id as "messageId", m.data, m.secret
        from mails m join users u on u.id = m.user_id where m.id = $1`;

/** Sends it again for another day. False: it was delivered, is being sent, its link has ended, or its user is disabled. */
export const retryMailRow = defineAny("retry_mail")<[id: string, now: Date]>`
      update mails m set state = 'pending', next_attempt_at = $2, send_until = least($2::timestamptz + interval '1 day', m.secret_until)
        from users u
       where m.id = $1 and u.id = m.user_id and (u.disabled_at is null or m.kind = 'access_changed') and m.state <> 'sent' and m.owner_id is null
         and (m.secret_until is null or (m.secret is not null and m.secret_until > $2)) returning 1`;
