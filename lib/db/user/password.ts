import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { text } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineFindValue } from "#lib/db/connection/define.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";

/** Sets another user's password and ends all of their sessions. Null: no such user, or a disabled one. */
export const resetPasswordRow = defineFind("reset_password", { email: text }).values(
  (
    resellerId: ResellerId | null,
    userId: UserId,
    change: { readonly passwordHash: string; readonly until: Date; readonly by: ChangedBy },
  ) => {
    const { passwordHash, until, by } = change;
    return [userId, resellerId, passwordHash, until, ...changeValues(by)];
  },
)`
      with changed as (
        update users set password_hash = $3, one_time_password_until = $4, demo_password = false
         where id = $1 and ($2::int is null or reseller_id = $2) and disabled_at is null returning *
      )
      select c.email, end_sessions(c.id, null, $6),
             write_audit_entry($5, 'user.reset_password', c.reseller_id, 'user:' || c.id, '', '{}', $6, $7, c.name),
             tell_of_access_change('password', c::users, null, $5, $6)
        from changed c`;

export async function findPassword(
  db: Database,
  userId: UserId,
): Promise<{
  readonly email: string;
  readonly passwordHash: string;
  /** Null: chosen by the user. */
  readonly oneTimePasswordUntil: Date | null;
} | null> {
  const select = { email: true, passwordHash: true, oneTimePasswordUntil: true };
  return db.prisma.user.findUnique({ where: { id: userId }, select });
}

/** Of the oldest user with this email address, or null. */
export const findPasswordHash = defineFindValue("find_password_hash", { hash: text })<[email: string]>`
      select password_hash as hash from users where email = $1 order by id limit 1`;

/**
 * Changes the user's password and ends their other sessions. False: the password was changed meanwhile. A password
 * equal to that of another user with the same email address is a unique violation.
 */
export const updateOwnPassword = defineAny("change_own_password").values(
  (
    userId: UserId,
    change: {
      readonly oldHash: string;
      readonly newHash: string;
      /** This session continues. */
      readonly sessionId: string | null;
      readonly by: ChangedBy;
    },
  ) => {
    const { oldHash, newHash, sessionId, by } = change;
    return [userId, oldHash, newHash, sessionId, ...changeValues(by)];
  },
)`
      with changed as (
        update users set password_hash = $3, one_time_password_until = null, demo_password = false where id = $1 and password_hash = $2 returning *
      )
      select end_sessions(c.id, $4, $6),
             write_audit_entry($5, 'user.change_password', c.reseller_id, 'user:' || c.id, '', '{}', $6, $7, c.name)
        from changed c`;
