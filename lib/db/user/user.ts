import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, boolean, int, list, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineFind, defineFindValue, defineGetValue, defineList, defineRun } from "#lib/db/connection/define.ts";
import { escapeLikePattern } from "#lib/db/connection/like-pattern.ts";
import { listing, type PageInput } from "#lib/db/connection/listing.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { type Role, roleNames } from "#lib/domain/roles.ts";

/**
 * Adds a user with an audit entry; the first user of a reseller, and the first admin, is an owner. A duplicate email
 * address within the reseller is a unique violation. Null: no such reseller.
 */
export const insertUser = defineFindValue("insert_user", { id: as<UserId>(int) }).values(
  (
    user: {
      readonly email: string;
      readonly name: string;
      readonly passwordHash: string;
      /** End of a one-time password or an invitation; null: chosen by the user. */
      readonly oneTimePasswordUntil: Date | null;
      /** Null: an admin. */
      readonly resellerId: ResellerId | null;
      readonly role: Role;
      /** A link to set a password (`invite_user.sql`); null: the user has one. */
      readonly invitation: object | null;
    },
    by: ChangedBy,
  ) => {
    const { email, name, passwordHash, oneTimePasswordUntil, resellerId, role } = user;
    const invitation = user.invitation && JSON.stringify(user.invitation);
    const fields = [email, name, passwordHash, oneTimePasswordUntil, resellerId];
    return [...fields, ...changeValues(by), invitation, role];
  },
)`
      with added as (
        insert into users (email, name, password_hash, one_time_password_until, role, reseller_id, created_at)
        select $1, $2, $3, $4::timestamptz,
               case when exists (select from users where reseller_id is not distinct from $5::int) then $10 else 'owner' end::user_role, $5, $7
         where $5 is null or exists (select from resellers where id = $5 and sandbox_of is null)
        returning *
      )
      select a.id, write_audit_entry($6, 'user.create', a.reseller_id, 'user:' || a.id, '',
               jsonb_build_object('email', a.email, 'role', a.role), $7, $8, a.name),
             case when $9::jsonb is not null then invite_user(a::users, $9, $7) end,
             tell_of_access_change('added', a::users, null, $6, $7)
        from added a`;

const userRow = {
  id: as<UserId>(int),
  email: text,
  name: text,
  role: oneOf(roleNames),
  resellerId: nullable(as<ResellerId>(int)),
  resellerName: nullable(text),
  disabledAt: nullable(timestamp),
  lastSignedInAt: nullable(timestamp),
  /** End of a one-time password that the user has not replaced yet. */
  oneTimePasswordUntil: nullable(timestamp),
  /** Second factors. */
  factors: list(oneOf(["passkey", "app"])),
  /** A second factor is required, and the user has none, although they could. */
  lacksFactor: boolean,
};
export type UserRow = RowOf<typeof userRow>;

const listUsers = statement("list_users", userRow)`
      select u.id, u.email, u.name, u.role, u.reseller_id as "resellerId", r.name as "resellerName",
             u.disabled_at as "disabledAt", u.last_signed_in_at as "lastSignedInAt",
             u.one_time_password_until as "oneTimePasswordUntil", f.factors,
             f.factors = '{}' and u.one_time_password_until is null and ((u.reseller_id is null and $5) or coalesce(r.requires_second_factor, false)) as "lacksFactor"
        from users u left join resellers r on r.id = u.reseller_id
             cross join lateral (select array_remove(array[
               case when exists (select from passkeys p where p.user_id = u.id) then 'passkey' end,
               case when exists (select from totp_factors t where t.user_id = u.id and t.confirmed_at is not null) then 'app' end
             ], null) as factors) f
       where ($1::int is null or u.reseller_id = $1) and ($3::int is null or u.id < $3)
         and ($2::text is null or u.email ilike $2 or u.name ilike $2 or r.name ilike $2)
       order by u.id desc limit $4`;

/** Newest first. `resellerId` null: any; `before`: older than this id; `adminsNeedFactor`: a rule of this installation. */
export function userListing(
  db: Database,
  resellerId: ResellerId | null,
  { text, adminsNeedFactor }: { readonly text: string | null; readonly adminsNeedFactor: boolean },
) {
  const pattern = text === null ? null : `%${escapeLikePattern(text)}%`;
  return listing(db, ({ before, limit }: PageInput<number>) => [
    listUsers,
    [resellerId, pattern, before, limit, adminsNeedFactor],
  ]);
}

/** `resellerId` null: an admin. */
export const findUserReseller = defineFind("find_user_reseller", {
  resellerId: nullable(as<ResellerId>(int)),
})<[userId: UserId]>`
      select reseller_id as "resellerId" from users where id = $1`;

const accessOutcomes = ["done", "unchanged", "missing", "last_owner"] as const;

/** `last_owner`: one enabled owner must remain. `resellerId` null, here and below: any. */
export const setUserRoleRow = defineGetValue("set_user_role", {
  outcome: oneOf(accessOutcomes),
}).values(
  (resellerId: ResellerId | null, userId: UserId, { role, by }: { readonly role: Role; readonly by: ChangedBy }) => {
    return [userId, resellerId, role, by.actor, by.requestId, by.now];
  },
)`select set_user_role($1, $2, $3::text::user_role, $4, $5, $6) as outcome`;

/** `last_owner`: one enabled owner must remain. */
export const setUserDisabledRow = defineGetValue("set_user_disabled", {
  outcome: oneOf(accessOutcomes),
}).values(
  (
    resellerId: ResellerId | null,
    userId: UserId,
    { disabled, by }: { readonly disabled: boolean; readonly by: ChangedBy },
  ) => [userId, resellerId, disabled, by.actor, by.requestId, by.now],
)`select set_user_disabled($1, $2, $3, $4, $5, $6) as outcome`;

/** An admin who can sign in with the demonstration's password, or null. */
export const findDemoAdminRow = defineFind("find_demo_admin", { userId: as<UserId>(int), email: text })`
      select id as "userId", email from users where demo_password and reseller_id is null and disabled_at is null order by id limit 1`;

export const signInCandidate = {
  id: as<UserId>(int),
  email: text,
  name: text,
  passwordHash: text,
  /** Neither disabled nor suspended, and a one-time password is still valid. */
  maySignIn: boolean,
  hasTotp: boolean,
  hasPasskey: boolean,
};
export type SignInCandidate = RowOf<typeof signInCandidate>;

/** Of a user `u`. */
export const factorColumns = `exists (select from totp_factors t where t.user_id = u.id and t.confirmed_at is not null) as "hasTotp",
             exists (select from passkeys p where p.user_id = u.id) as "hasPasskey"`;

/** Users with this email address, oldest first: at most one per reseller, and an admin. */
export const listSignInCandidates = defineList("list_sign_in_candidates", signInCandidate)<[email: string]>`
      select u.id, u.email, u.name, u.password_hash as "passwordHash",
             u.disabled_at is null and r.suspended_at is null
               and coalesce(u.one_time_password_until > clock_timestamp(), true) as "maySignIn",
             ${factorColumns}
        from users u left join resellers r on r.id = u.reseller_id
       where u.email = $1 order by u.id`;

/** Without a change, writes no audit entry. */
export const updateOwnProfile = defineRun("change_own_profile").values(
  (
    userId: UserId,
    {
      name,
      timeZone,
      formatLocale,
    }: { readonly name: string; readonly timeZone: string | null; readonly formatLocale: string | null },
    by: ChangedBy,
  ) => [userId, name, timeZone, ...changeValues(by), formatLocale],
)`
      with old as (
        select u.* from users u where u.id = $1 for no key update
      ), changed as (
        update users u set name = $2, time_zone = $3, format_locale = $7 from old
         where u.id = old.id
           and (old.name, old.time_zone, old.format_locale) is distinct from ($2, $3, $7)
        returning u.*, old.name as old_name, old.time_zone as old_time_zone, old.format_locale as old_format_locale
      )
      select write_audit_entry($4, 'user.change_profile', c.reseller_id, 'user:' || c.id, '',
               jsonb_build_object('changes', changes_between(
                 jsonb_build_object('name', c.old_name, 'time_zone', c.old_time_zone, 'format_locale', c.old_format_locale),
                 jsonb_build_object('name', c.name, 'time_zone', c.time_zone, 'format_locale', c.format_locale))),
               $5, $6, c.name)
        from changed c`;
