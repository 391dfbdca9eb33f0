import { createHash } from "node:crypto";
import type { Database } from "#lib/db/connection/client.ts";
import { as, int, nullable, text } from "#lib/db/connection/columns.ts";
import { defineAny, defineRun } from "#lib/db/connection/define.ts";
import { findRow, type RowOf, safeModeStatement, statement } from "#lib/db/connection/statement.ts";
import type { UserId } from "#lib/domain/ids.ts";
import type { IdentityKey } from "./identity.ts";

const hashOf = (token: string) => createHash("sha256").update(token).digest();

/** Remembers a sign-in that waits for the second factor, unless the password is another one by now. */
export const insertPendingSignIn = defineRun("insert_pending_sign_in", safeModeStatement).values(
  (pending: {
    readonly token: string;
    readonly userId: UserId;
    readonly passwordHash: string;
    /** The account with which the user signed in; null: here. */
    readonly identity: IdentityKey | null;
    readonly seconds: number;
  }) => {
    const { token, userId, passwordHash, identity, seconds } = pending;
    const account = [identity?.issuer ?? null, identity?.subject ?? null];
    return [hashOf(token), userId, seconds, passwordHash, ...account];
  },
)`
      with ended as (
        delete from pending_sign_ins where user_id = $2 and expires_at <= clock_timestamp()
      )
      insert into pending_sign_ins (token_hash, user_id, issuer, subject, expires_at)
      select $1, u.id, $5, $6, clock_timestamp() + make_interval(secs => $3) from users u where u.id = $2 and u.password_hash = $4 for share of u`;

const pendingSignIn = {
  userId: as<UserId>(int),
  email: text,
  name: text,
  issuer: nullable(text),
  subject: nullable(text),
  passwordHash: text,
};

export interface PendingSignInRow extends Omit<RowOf<typeof pendingSignIn>, keyof IdentityKey> {
  /** The account with which the user signed in; null: here. */
  readonly identity: IdentityKey | null;
}

const findPending = statement("find_pending_sign_in", pendingSignIn)`
      select u.id as "userId", u.email, u.name, p.issuer, p.subject, u.password_hash as "passwordHash"
        from pending_sign_ins p join users u on u.id = p.user_id
       where p.token_hash = $1 and p.expires_at > clock_timestamp()`;

/** Null: unknown or expired. */
export async function findPendingSignIn(db: Database, token: string): Promise<PendingSignInRow | null> {
  const found = await findRow(db, findPending, [hashOf(token)]);
  if (!found) return null;
  const { issuer, subject, ...person } = found;
  return { ...person, identity: issuer === null || subject === null ? null : { issuer, subject } };
}

/** Ends it. False: it was used, or has expired meanwhile. */
export const takePendingSignIn = defineAny("take_pending_sign_in", safeModeStatement).values((token: string) => [
  hashOf(token),
])`
      delete from pending_sign_ins where token_hash = $1 and expires_at > clock_timestamp() returning 1`;
