import { createHash } from "node:crypto";
import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { boolean, bytes, int, nullable, timestamp } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineGet, defineRun } from "#lib/db/connection/define.ts";
import { findRow, type RowOf, safeModeStatement, statement } from "#lib/db/connection/statement.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { normalizeRecoveryCode } from "#lib/domain/recovery-code.ts";

export function hashRecoveryCode(userId: UserId, recoveryCode: string): Buffer {
  return createHash("sha256")
    .update(`recovery code:${userId}:${normalizeRecoveryCode(recoveryCode)}`)
    .digest();
}

const secondFactors = {
  /** Null: no authenticator app. */
  totpSince: nullable(timestamp),
  passkeys: int,
  /** Unused ones. */
  recoveryCodes: int,
  /** The user must have a factor. */
  isRequired: boolean,
};
export type SecondFactors = RowOf<typeof secondFactors>;

export const findSecondFactorRows = defineGet("find_second_factors", secondFactors).values(
  (userId: UserId, { adminsNeedFactor = false }: { readonly adminsNeedFactor?: boolean | undefined } = {}) => [
    userId,
    adminsNeedFactor,
  ],
)`
      select (select confirmed_at from totp_factors where user_id = $1) as "totpSince",
             (select count(*)::int from passkeys where user_id = $1) as passkeys,
             (select count(*)::int from recovery_codes where user_id = $1) as "recoveryCodes",
             coalesce((select r.requires_second_factor from users u join resellers r on r.id = u.reseller_id where u.id = $1), $2)
               as "isRequired"`;

/** Stores an unconfirmed secret in place of an earlier one. False: the user has an authenticator app. */
export const insertTotp = defineAny("start_totp")<[userId: UserId, secret: Uint8Array, now: Date]>`
      insert into totp_factors as t (user_id, secret, created_at) values ($1, $2, $3)
      on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at where t.confirmed_at is null
      returning 1`;

/** The sealed secret, or null. */
export const findTotpRow = defineFind("find_totp", { secret: bytes, confirmedAt: nullable(timestamp) })<
  [userId: UserId]
>`
      select secret, confirmed_at as "confirmedAt" from totp_factors where user_id = $1`;

/** Of the user's own factors, in `holdSession`'s transaction. */
export interface OwnFactorChange {
  /** This session continues. */
  readonly sessionId: string | null;
  readonly by: ChangedBy;
}

export interface FactorRemoval extends OwnFactorChange {
  /** A rule of this installation. */
  readonly adminsNeedFactor: boolean | undefined;
}

const confirmTotp = statement("confirm_totp", { newCodes: int })`
      with changed as (
        update totp_factors set confirmed_at = $3, last_step = $4
         where user_id = $1 and confirmed_at is null and secret = $5
        returning user_id
      )
      select settle_recovery_codes(u.id, $6::bytea[], false) as "newCodes", end_sessions(u.id, $2, $3),
             write_audit_entry($7, 'user.add_factor', u.reseller_id, 'user:' || u.id, '', '{"factor": "authenticator app"}', $3, $8, u.name)
        from changed c join users u on u.id = c.user_id`;

/** Turns the app on. Whether the recovery codes are new; null: another secret has replaced this one. */
export async function confirmTotpRow(
  db: Database,
  userId: UserId,
  totp: { readonly secret: Buffer; readonly step: number; readonly recoveryCodes: readonly string[] },
  { sessionId, by }: OwnFactorChange,
): Promise<{ readonly hasNewCodes: boolean } | null> {
  const { secret, step } = totp;
  const hashes = totp.recoveryCodes.map((code) => hashRecoveryCode(userId, code));
  const values = [userId, sessionId, by.now, step, secret, hashes, by.actor, by.requestId];
  const row = await findRow(db, confirmTotp, values);
  return row && { hasNewCodes: row.newCodes > 0 };
}

/** With the recovery codes, if it was the last factor. False: there is none, or it is needed. */
export const deleteTotp = defineAny("remove_totp").values(
  (userId: UserId, { sessionId, by, adminsNeedFactor = false }: FactorRemoval) => {
    return [userId, sessionId, ...changeValues(by), adminsNeedFactor];
  },
)`
      with changed as (
        delete from totp_factors where user_id = $1 and confirmed_at is not null and may_lose_factor($1, $6) returning user_id
      )
      select settle_recovery_codes(u.id, '{}', false), end_sessions(u.id, $2, $4),
             write_audit_entry($3, 'user.remove_factor', u.reseller_id, 'user:' || u.id, '', '{"factor": "authenticator app"}', $4, $5, u.name)
        from changed c join users u on u.id = c.user_id`;

/** False: the user has no second factor. */
export const replaceRecoveryCodeRows = defineAny("replace_recovery_codes").values(
  (userId: UserId, recoveryCodes: readonly string[], by: ChangedBy) => {
    const hashes = recoveryCodes.map((code) => hashRecoveryCode(userId, code));
    return [userId, hashes, ...changeValues(by)];
  },
)`
      select write_audit_entry($3, 'user.replace_recovery_codes', u.reseller_id, 'user:' || u.id, '', '{}', $4, $5, u.name)
        from settle_recovery_codes($1, $2::bytea[], true) as stored join users u on u.id = $1 where stored > 0`;

/** All of a user's factors, and their sessions, with a message to them. False: there were none. */
export const deleteFactors = defineAny("remove_factors").values((userId: UserId, by: ChangedBy) => {
  return [userId, ...changeValues(by)];
})`
      select end_sessions(u.id, null, $3),
             write_audit_entry($2, 'user.remove_factors', u.reseller_id, 'user:' || u.id, '', '{}', $3, $4, u.name),
             tell_of_access_change('factors', u, null, $2, $3)
        from delete_factors($1) as existed join users u on u.id = $1 where existed`;

/** Accepts each time step once. False: it was used, or a later one. */
export const takeTotpStep = defineAny("use_totp_step", safeModeStatement)<[userId: UserId, step: number]>`
      update totp_factors set last_step = $2 where user_id = $1 and confirmed_at is not null and last_step < $2 returning 1`;

/** Accepts each code once. False: there is no such unused code. */
export const takeRecoveryCode = defineAny("use_recovery_code", safeModeStatement).values(
  (userId: UserId, code: string) => [userId, hashRecoveryCode(userId, code)],
)`
      with used as (
        delete from recovery_codes where user_id = $1 and hash = $2 returning user_id
      )
      select write_audit_entry('user:' || u.id, 'user.use_recovery_code', u.reseller_id, 'user:' || u.id, '',
               jsonb_build_object('remaining', (select count(*) - 1 from recovery_codes r where r.user_id = u.id)),
               clock_timestamp(), '', u.name)
        from used join users u on u.id = used.user_id`;

/** Someone who knows the password, has a session or a passkey was refused. */
export const recordRefusal = defineRun("record_refused_factor", safeModeStatement).values(
  (userId: UserId, refused: { readonly factor: string; readonly address: string; readonly why?: string }) => {
    return [userId, refused.factor, refused.address, refused.why ?? null];
  },
)`
      select write_audit_entry('system:visitor', 'user.factor_refused', u.reseller_id, 'user:' || u.id, '',
               jsonb_strip_nulls(jsonb_build_object('factor', $2::text, 'why', $4::text)), clock_timestamp(), ' from ' || $3::text, u.name)
        from users u where u.id = $1`;

/** Without a change, writes no audit entry. */
export const updateFactorRule = defineRun("set_factor_rule").values(
  (resellerId: ResellerId, required: boolean, by: ChangedBy) => [resellerId, required, ...changeValues(by)],
)`
      with changed as (
        update resellers set requires_second_factor = $2 where id = $1 and requires_second_factor <> $2 returning id, name
      )
      select write_audit_entry($3, 'reseller.set_factor_rule', c.id, 'reseller:' || c.id, '',
               jsonb_build_object('required', $2::boolean), $4, $5, c.name)
        from changed c`;
