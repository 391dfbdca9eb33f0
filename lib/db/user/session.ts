import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { as, boolean, float, int, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineFindValue, defineList, defineRun } from "#lib/db/connection/define.ts";
import { type RowOf, safeModeStatement } from "#lib/db/connection/statement.ts";
import { formatLocales } from "#lib/domain/format-locale.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { adminRoleNames, resellerRoleNames } from "#lib/domain/roles.ts";

/** A session's user, and the reseller that an admin acts as. */
const sessionIdentity = {
  sessionId: text,
  userId: as<UserId>(int),
  email: text,
  name: text,
  /** Null: the browser's. */
  timeZone: nullable(text),
  /** How numbers and dates are written for them; null: the default. */
  formatLocale: nullable(oneOf(formatLocales)),
  /** Where the user signed in; null: here. */
  issuer: nullable(text),
  /** One of the two is set. */
  adminRole: nullable(oneOf(adminRoleNames)),
  resellerRole: nullable(oneOf(resellerRoleNames)),
  /** Null for an admin. */
  resellerId: nullable(as<ResellerId>(int)),
  /** The one-time password must be changed first. */
  mustChangePassword: boolean,
  /** A second factor is required, and the user has none. */
  mustAddFactor: boolean,
  /** Last proof of who the user is, in seconds ago. */
  provenSecondsAgo: float,
  actingAsId: nullable(as<ResellerId>(int)),
  actingAsName: nullable(text),
  actingUntil: nullable(timestamp),
  /** The open sandbox of the reseller, or of the one that an admin acts as, in test mode only. */
  sandboxId: nullable(as<ResellerId>(int)),
};

export interface SessionLimits {
  /** A session ends after this long without a page or action. */
  readonly idleMinutes: number;
  /** The maximum duration of any session. */
  readonly maxHours: number;
}

/** What a user with a second factor gave. */
export type GivenFactor = { readonly kind: "totp" | "recovery" } | { readonly kind: "passkey"; readonly id: string };

/** A live session `s`, by the database's clock. */
const isLive = "s.revoked_at is null and s.expires_at > clock_timestamp() and s.idle_at > clock_timestamp()";

/** Null: no such session, it has ended, or its user cannot sign in. Checked on every request. */
export const findSessionIdentity = defineFind("find_session", sessionIdentity)<
  [sessionId: string, adminsNeedFactor: boolean]
>`
      select s.id as "sessionId", u.id as "userId", u.email, u.name, u.time_zone as "timeZone", u.format_locale as "formatLocale", s.issuer, u.reseller_id as "resellerId",
             case when u.reseller_id is null then u.role end as "adminRole",
             case when u.reseller_id is not null then u.role end as "resellerRole",
             u.one_time_password_until is not null and s.issuer is null as "mustChangePassword",
             ((u.reseller_id is null and $2) or coalesce(r.requires_second_factor, false))
               and not exists (select from totp_factors f where f.user_id = u.id and f.confirmed_at is not null)
               and not exists (select from passkeys p where p.user_id = u.id) as "mustAddFactor",
             extract(epoch from clock_timestamp() - s.proven_at)::float8 as "provenSecondsAgo",
             a.id as "actingAsId", a.name as "actingAsName", case when a.id is not null then s.acting_until end as "actingUntil",
             t.id as "sandboxId"
        from sessions s
        join users u on u.id = s.user_id
        left join resellers r on r.id = u.reseller_id
        left join resellers a on a.id = s.acting_as_reseller_id and s.acting_until > clock_timestamp() and u.reseller_id is null
        left join resellers t on s.test_mode and t.sandbox_of = coalesce(a.id, u.reseller_id) and t.sandbox_closed_at is null
       where s.id = $1::uuid and ${isLive}
         and u.disabled_at is null and r.suspended_at is null`;

/** Before `insertSession` in its transaction, so that it reads what a change that ends sessions has stored meanwhile. */
export const lockSessionUser = defineRun("lock_session_user", safeModeStatement)<[userId: UserId]>`
      select from users where id = $1 for no key update`;

/**
 * Opens a session and records the sign-in. False: the user or the reseller may not sign in any more, the password is
 * another one by now, or the given factor is none of the user's. Serialized with suspensions, which end sessions. A new
 * device is reported to the user, once a day for the same address and browser. A session opened at the issuer ends an
 * invitation or a one-time password: nobody needs it any more.
 */
export const insertSession = defineAny("insert_session", safeModeStatement).values(
  (
    session: {
      readonly id: string;
      readonly userId: UserId;
      /** Of the password that was checked; null: none was. */
      readonly passwordHash: string | null;
      /** Null: the user has none. */
      readonly factor: GivenFactor | null;
      readonly address: string;
      readonly userAgent: string;
      readonly isNewDevice: boolean;
      /** Where the user signed in; null: here. */
      readonly issuer: string | null;
      /** When the user proved who they are, but not after now; null: now. */
      readonly provenAt: Date | null;
      /** Of a password that nobody has, in place of an invitation or a one-time password. */
      readonly unknownHash: string | null;
    },
    { idleMinutes, maxHours }: SessionLimits,
  ) => {
    const { id, userId, address, userAgent, isNewDevice, issuer, passwordHash, provenAt, unknownHash, factor } =
      session;
    const passkeyId = factor?.kind === "passkey" ? factor.id : null;
    const person = [isNewDevice, issuer, passwordHash, provenAt, unknownHash, factor?.kind ?? "none", passkeyId];
    return [id, userId, address, userAgent, idleMinutes, maxHours, ...person];
  },
)`
      with reseller as (
        select r.suspended_at from resellers r join users u on u.reseller_id = r.id where u.id = $2 for share of r
      ), factor as (
        select 'totp' as kind, null as id from totp_factors where user_id = $2 and confirmed_at is not null
        union all select 'passkey', id from passkeys where user_id = $2
      ), seen as (
        update users set last_signed_in_at = clock_timestamp(),
               password_hash = case when $8::text is not null and one_time_password_until is not null then $11 else password_hash end,
               one_time_password_until = case when $8::text is null then one_time_password_until end
         where id = $2 and disabled_at is null and ($9::text is null or password_hash = $9)
           and not exists (select from reseller where suspended_at is not null)
           and case $12 when 'none' then not exists (select from factor) when 'recovery' then exists (select from factor)
                        else exists (select from factor f where f.kind = $12 and f.id is not distinct from $13) end
         returning id, name, reseller_id
      ), replaced as (
        select u.id from users u join seen using (id) where $8::text is not null and u.one_time_password_until is not null
      ), void as (
        delete from access_links where user_id in (select id from replaced)
      ), opened as (
        insert into sessions (id, user_id, address, user_agent, issuer, created_at, proven_at, idle_at, expires_at)
        select $1::uuid, seen.id, $3, $4, $8, now, least(now, $10::timestamptz), now + make_interval(mins => $5), now + make_interval(hours => $6)
          from seen, clock_timestamp() now
      )
      select write_audit_entry('user:' || id, 'session.sign_in', reseller_id, 'user:' || id, '',
                               jsonb_strip_nulls(jsonb_build_object('user_agent', $4::text, 'issuer', $8::text)),
                               clock_timestamp(), ' from ' || $3::text, name),
             case when $7 then (select queue_mail(gen_random_uuid(), 'new_device', u,
                                  jsonb_build_object('name', u.name, 'address', $3::text, 'user_agent', $4::text,
                                    'at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
                                  null, null, concat_ws(':', 'new_device', u.id, $3::text, md5($4::text), (now() at time zone 'UTC')::date), now())
                                  from users u where u.id = seen.id) end,
             (select forget_mail_links(r.id, null, 'Not sent: its user has signed in at the issuer.', clock_timestamp()) from replaced r),
             (select end_sessions(r.id, $1::uuid::text, clock_timestamp()) from replaced r)
        from seen`;

/**
 * Keeps a session from ending until the transaction ends. Locks its user and `others`, whom the transaction changes, in
 * one order for all, before the session, as those who end sessions do (`end_sessions`). False: it has ended.
 */
export const holdSession = defineAny("hold_session").values(
  (sessionId: string, userId: UserId, others: readonly UserId[]) => [sessionId, userId, [userId, ...others]],
)`
      with people as (
        select u.id from users u where u.id = any($3::int[]) order by u.id for no key update
      )
      select from people p join sessions s on s.user_id = p.id
       where p.id = $2 and s.id::text = $1 and s.revoked_at is null for share of s`;

/** Extends the idle time, at most once a minute. */
export const touchSession = defineRun("touch_session", safeModeStatement).values(
  (sessionId: string, { idleMinutes }: SessionLimits) => [sessionId, idleMinutes],
)`
      update sessions s set idle_at = clock_timestamp() + make_interval(mins => $2)
       where s.id = $1::uuid and ${isLive} and s.idle_at < clock_timestamp() + make_interval(mins => $2) - interval '1 minute'`;

/** The session's user has proved again who they are. The session gets a new id, so that copies of its cookie end. Null: it has ended. */
export const proveSession = defineFindValue("prove_session", { id: text }, safeModeStatement)<[sessionId: string]>`
      update sessions s set id = gen_random_uuid(), proven_at = clock_timestamp() where s.id = $1::uuid and ${isLive} returning id`;

const sessionRow = { id: text, createdAt: timestamp, lastUsedAt: timestamp, address: text, userAgent: text };
export type SessionRow = RowOf<typeof sessionRow>;

/** A user's live sessions, newest first. */
export const listSessionRows = defineList("list_sessions", sessionRow).values(
  (userId: UserId, { limit, idleMinutes }: { readonly limit: number; readonly idleMinutes: number }) => [
    userId,
    limit,
    idleMinutes,
  ],
)`
      select id, created_at as "createdAt", least(clock_timestamp(), greatest(created_at, idle_at - make_interval(mins => $3))) as "lastUsedAt",
             address, user_agent as "userAgent"
        from sessions s where s.user_id = $1 and ${isLive}
       order by created_at desc, id limit $2`;

/** Ends one of the user's sessions. False: no such live session. */
export const endSessionRow = defineAny("end_session", safeModeStatement)<[userId: UserId, sessionId: string]>`
      update sessions s set revoked_at = clock_timestamp() where s.id::text = $2 and s.user_id = $1 and ${isLive} returning 1`;

/** Ends all of the user's sessions but this one, and sign-ins that wait for the second factor. */
export const endOtherSessionRows = defineRun("end_other_sessions", safeModeStatement)<
  [userId: UserId, sessionId: string | null]
>`
      select end_sessions($1, $2, clock_timestamp())`;

/** Makes an admin's session act as a reseller. False: no such reseller, or no session of that admin. */
export const updateActingAs = defineAny("act_as").values(
  (
    sessionId: string | null,
    change: { readonly userId: UserId; readonly resellerId: ResellerId; readonly until: Date; readonly by: ChangedBy },
  ) => {
    const { userId, resellerId, until, by } = change;
    return [sessionId, userId, resellerId, until, ...changeValues(by)];
  },
)`
      with changed as (
        update sessions s set acting_as_reseller_id = r.id, acting_until = $4, test_mode = false
          from users u, resellers r
         where s.id::text = $1 and s.user_id = $2 and u.id = s.user_id and u.reseller_id is null and ${isLive} and r.id = $3 and r.sandbox_of is null
        returning r.id, r.name
      )
      select write_audit_entry($5, 'session.act_as', id, 'reseller:' || id, '', jsonb_build_object('until', $4::timestamptz), $6, $7, name)
        from changed`;

/** False: no such live session. */
export const updateTestMode = defineAny("set_test_mode")<[sessionId: string | null, testMode: boolean]>`
      update sessions s set test_mode = $2 where s.id = $1::uuid and ${isLive} returning 1`;

/** Stops acting, with an audit entry; `endSession` also signs out. Idempotent. */
export const stopActingRow = defineRun("stop_acting", safeModeStatement).values(
  (sessionId: string | null, stop: { readonly endSession: boolean; readonly requestId: string }) => [
    sessionId,
    stop.endSession,
    stop.requestId,
  ],
)`
      with old as (
        select s.id, s.user_id, s.acting_until, r.id as reseller_id, r.name
          from sessions s left join resellers r on r.id = s.acting_as_reseller_id
         where s.id = $1::uuid and s.revoked_at is null for update of s
      ), changed as (
        update sessions s set acting_as_reseller_id = null, acting_until = null, test_mode = false, revoked_at = case when $2 then clock_timestamp() end
          from old where s.id = old.id returning 1
      )
      select write_audit_entry('user:' || old.user_id, 'session.stop_acting', old.reseller_id, 'reseller:' || old.reseller_id, '', '{}',
                               clock_timestamp(), $3, old.name)
        from old, changed where old.acting_until > clock_timestamp()`;
