import { createHash } from "node:crypto";
import type { Database } from "#lib/db/connection/client.ts";
import { as, boolean, int, nullable, text } from "#lib/db/connection/columns.ts";
import { defineAny, defineRun } from "#lib/db/connection/define.ts";
import { findRow, type RowOf, safeModeStatement, statement } from "#lib/db/connection/statement.ts";
import type { UserId } from "#lib/domain/ids.ts";
import type { SignInAccount } from "./identity.ts";

const hashOf = (token: string) => createHash("sha256").update(token).digest();

/** Remembers a sign-in that waits for the second factor, unless by now the password is another one, or the account disconnected. */
export const insertPendingSignIn = defineRun("insert_pending_sign_in", safeModeStatement).values(
  (pending: {
    readonly token: string;
    readonly userId: UserId;
    readonly passwordHash: string;
    /** The account with which the user signed in; null: here. */
    readonly identity: SignInAccount | null;
    readonly seconds: number;
  }) => {
    const { token, userId, passwordHash, identity, seconds } = pending;
    const account = [identity?.issuer ?? null, identity?.subject ?? null, identity?.isConnected ?? false];
    return [hashOf(token), userId, seconds, passwordHash, ...account];
  },
)`
      with ended as (
        delete from pending_sign_ins where user_id = $2 and expires_at <= clock_timestamp()
      ), person as (
        select id from users where id = $2 and password_hash = $4 for share
      ), account as (
        select from user_identities i join person p on p.id = i.user_id where i.issuer = $5 and i.subject = $6 for share of i
      )
      insert into pending_sign_ins (token_hash, user_id, issuer, subject, expires_at)
      select $1, p.id, $5, $6, clock_timestamp() + make_interval(secs => $3)
        from person p where not $7::boolean or exists (select from account)`;

const pendingSignIn = {
  userId: as<UserId>(int),
  email: text,
  name: text,
  issuer: nullable(text),
  subject: nullable(text),
  isConnected: boolean,
  passwordHash: text,
};

export interface PendingSignInRow extends Omit<RowOf<typeof pendingSignIn>, keyof SignInAccount> {
  /** The account with which the user signed in; null: here. */
  readonly identity: SignInAccount | null;
}

const findPending = statement("find_pending_sign_in", pendingSignIn)`
      select u.id as "userId", u.email, u.name, p.issuer, p.subject, u.password_hash as "passwordHash",
             exists (select from user_identities i
                      where i.issuer = p.issuer and i.subject = p.subject and i.user_id = u.id) as "isConnected"
        from pending_sign_ins p join users u on u.id = p.user_id
       where p.token_hash = $1 and p.expires_at > clock_timestamp()`;

/** Null: unknown or expired. */
export async function findPendingSignIn(db: Database, token: string): Promise<PendingSignInRow | null> {
  const found = await findRow(db, findPending, [hashOf(token)]);
  if (!found) return null;
  const { issuer, subject, isConnected, ...person } = found;
  return { ...person, identity: issuer === null || subject === null ? null : { issuer, subject, isConnected } };
}

/** Ends it. False: it was used, or has expired meanwhile. */
export const takePendingSignIn = defineAny("take_pending_sign_in", safeModeStatement).values((token: string) => [
  hashOf(token),
])`
      delete from pending_sign_ins where token_hash = $1 and expires_at > clock_timestamp() returning 1`;
