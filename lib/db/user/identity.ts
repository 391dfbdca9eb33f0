import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, int, nullable } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineList } from "#lib/db/connection/define.ts";
import { safeModeStatement } from "#lib/db/connection/statement.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { IssuerGrant } from "#lib/domain/issuer-roles.ts";
import { factorColumns, signInCandidate } from "./user.ts";

/** An account at an issuer. */
export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

/** The account with which a user signs in. */
export interface SignInAccount extends IdentityKey {
  /** It found its user. Otherwise the user's session connects it. */
  readonly isConnected: boolean;
}

/** A one-time password that has ended does not keep its user from signing in at the issuer. */
const personColumns = `u.id, u.email, u.name, u.password_hash as "passwordHash",
             u.disabled_at is null and r.suspended_at is null as "maySignIn", ${factorColumns}`;

/** The user of the account, or null. */
export const findIdentityOwner = defineFind("find_identity", signInCandidate).values(
  ({ issuer, subject }: IdentityKey) => [issuer, subject],
)`
      select ${personColumns}
        from user_identities i join users u on u.id = i.user_id left join resellers r on r.id = u.reseller_id
       where i.issuer = $1 and i.subject = $2`;

const unconnectedUser = { ...signInCandidate, resellerId: nullable(as<ResellerId>(int)) };

/** Users with this email address and no account at the issuer: at most one per reseller, and an admin. */
export const listUnconnectedUsers = defineList("list_unconnected_users", unconnectedUser)<
  [email: string, issuer: string]
>`
      select ${personColumns}, u.reseller_id as "resellerId"
        from users u left join resellers r on r.id = u.reseller_id
       where u.email = $1 and not exists (select from user_identities i where i.user_id = u.id and i.issuer = $2)
       order by u.id`;

const insertIdentity = safeModeStatement("insert_identity")`
      with added as (
        insert into user_identities (issuer, subject, user_id, created_at) values ($1, $2, $3, clock_timestamp())
        on conflict do nothing returning user_id
      )
      select write_audit_entry('user:' || u.id, 'user.connect_issuer', u.reseller_id, 'user:' || u.id, '',
               jsonb_build_object('issuer', $1::text, 'subject', $2::text), clock_timestamp(), '', u.name)
        from added a join users u on u.id = a.user_id`;

/**
 * Does nothing if it is connected already. False: the account has another user, the user another account there, or they
 * were disconnected meanwhile.
 */
export async function connectIdentity(db: Database, account: SignInAccount, userId: UserId): Promise<boolean> {
  const { issuer, subject, isConnected } = account;
  const added = isConnected ? [] : await db.query(insertIdentity, [issuer, subject, userId]);
  return added.length > 0 || (await findIdentityOwner(db, account))?.id === userId;
}

/**
 * A new user with an account at the issuer, and a password that nobody has. Null: there is no such reseller, it is
 * suspended, or it has a user with this email address.
 */
export const insertIdentityUser = defineFind("create_identity_user", signInCandidate).values(
  (
    { issuer, subject }: IdentityKey,
    user: {
      readonly email: string;
      readonly name: string;
      readonly passwordHash: string;
      readonly grant: IssuerGrant;
    },
  ) => {
    const { email, name, passwordHash, grant } = user;
    return [issuer, subject, email, name, passwordHash, grant.role, grant.resellerId];
  },
)`
      with added as (
        insert into users (email, name, password_hash, role, reseller_id, created_at)
        select $3, $4, $5, $6::text::user_role, $7::int, clock_timestamp()
         where $7 is null or exists (select from resellers where id = $7 and sandbox_of is null and suspended_at is null)
        on conflict do nothing returning *
      ), identity as (
        insert into user_identities (issuer, subject, user_id, created_at) select $1, $2, id, created_at from added
      )
      select a.id, a.email, a.name, a.password_hash as "passwordHash", true as "maySignIn", false as "hasTotp", false as "hasPasskey",
             write_audit_entry('user:' || a.id, 'user.create', a.reseller_id, 'user:' || a.id, '',
               jsonb_build_object('email', a.email, 'role', a.role, 'issuer', $1::text, 'subject', $2::text), a.created_at, '', a.name),
             tell_of_access_change('added', a::users, null, 'user:' || a.id, a.created_at)
        from added a`;

/** All of a user's, and their sessions. False: there were none. */
export const deleteIdentities = defineAny("disconnect_identities").values((userId: UserId, by: ChangedBy) => [
  userId,
  ...changeValues(by),
])`
      select end_sessions(u.id, null, $3),
             write_audit_entry($2, 'user.disconnect_issuer', u.reseller_id, 'user:' || u.id, '', '{}', $3, $4, u.name),
             tell_of_access_change('issuer', u, null, $2, $3)
        from delete_identities($1) as existed join users u on u.id = $1 where existed`;
