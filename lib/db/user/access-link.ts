import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { as, int, oneOf, text } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineListValues, defineRun } from "#lib/db/connection/define.ts";
import { safeModeStatement } from "#lib/db/connection/statement.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";

const openLink = {
  userId: as<UserId>(int),
  kind: oneOf(["invitation", "password_reset"]),
  email: text,
  name: text,
  passwordHash: text,
};

/** An unused link `l` of user `u` at $2, whose password has not changed since. */
const isOpen = `
  l.token_hash = $1 and u.id = l.user_id and l.expires_at > $2
  and l.password_mark = sha256(convert_to(u.password_hash, 'UTF8')) and u.disabled_at is null
  and not exists (select from resellers r where r.id = u.reseller_id and r.suspended_at is not null)`;

/** Null: there is no such link, or it is used, void or over. */
export const findOpenLink = defineFind("find_open_link", openLink, safeModeStatement)<[tokenHash: Buffer, now: Date]>`
      select u.id as "userId", l.kind, u.email, u.name, u.password_hash as "passwordHash"
        from access_links l, users u where ${isOpen}`;

/** A column that forgets the links of messages to `changed`, and with them those not sent yet. */
const forgetLinks = (why: string, now: string) => `forget_mail_links(c.id, null, 'Not sent: ${why}.', ${now})`;

/**
 * Sets the password of the link's user, ends their sessions and voids all of their links. False: the link is not open any
 * more. A password equal to that of another user with the same email address is a unique violation.
 */
export const redeemAccessLinkRow = defineAny("redeem_access_link").values(
  (
    tokenHash: Buffer,
    { newHash, now, requestId }: { readonly newHash: string; readonly now: Date; readonly requestId: string },
  ) => [tokenHash, now, newHash, requestId],
)`
      with changed as (
        update users u set password_hash = $3, one_time_password_until = null, demo_password = false
          from access_links l where ${isOpen}
        returning u.*, l.kind as link_kind
      ), void as (
        delete from access_links where user_id in (select id from changed)
      )
      select end_sessions(c.id, null, $2), ${forgetLinks("its link was used already", "$2")},
             write_audit_entry('user:' || c.id, case c.link_kind when 'invitation' then 'user.accept_invitation' else 'user.replace_password' end,
               c.reseller_id, 'user:' || c.id, '', '{}', $2, $4, c.name)
        from changed c`;

/** Users with this email address who can sign in, or could with a password. */
export const listResettableUsers = defineListValues(
  "list_resettable_users",
  { id: as<UserId>(int) },
  safeModeStatement,
)<[email: string]>`
      select u.id from users u left join resellers r on r.id = u.reseller_id
       where u.email = $1 and u.disabled_at is null and r.suspended_at is null order by u.id`;

/** Adds a link with its message, unless the user has `limit` open ones. */
export const insertPasswordResetRow = defineRun("insert_password_reset").values(
  (
    userId: UserId,
    link: {
      readonly messageId: string;
      readonly tokenHash: string;
      readonly secret: string;
      readonly until: Date;
      readonly now: Date;
      readonly limit: number;
    },
  ) => {
    const { messageId, tokenHash, secret, until, now, limit } = link;
    const hex = (text: string) => Buffer.from(text, "hex");
    return [userId, hex(tokenHash), messageId, hex(secret), until, now, limit];
  },
)`
      with person as (
        select u.* from users u
         where u.id = $1 and u.disabled_at is null and user_has_room('password_resets', u.id, $7, $6)
      ), link as (
        insert into access_links (token_hash, user_id, kind, password_mark, created_at, expires_at)
        select $2::bytea, p.id, 'password_reset', sha256(convert_to(p.password_hash, 'UTF8')), $6, $5::timestamptz from person p
      )
      select queue_mail($3::uuid, 'password_reset', p::users,
               jsonb_build_object('name', p.name, 'organization', (select r.name from resellers r where r.id = p.reseller_id)),
               $4::bytea, $5::timestamptz, null, $6) from person p`;

/**
 * Replaces the invitation of a user who has never signed in (`invite_user.sql`), and voids earlier links and one-time
 * passwords. False: no such user, a disabled one, or one who has chosen a password.
 */
export const inviteAgainRow = defineAny("invite_again").values(
  (
    resellerId: ResellerId | null,
    userId: UserId,
    change: {
      readonly passwordHash: string;
      readonly until: Date;
      readonly invitation: object;
      readonly by: ChangedBy;
    },
  ) => {
    const { passwordHash, until, invitation, by } = change;
    return [userId, resellerId, passwordHash, until, JSON.stringify(invitation), ...changeValues(by)];
  },
)`
      with changed as (
        update users set password_hash = $3, one_time_password_until = $4
         where id = $1 and ($2::int is null or reseller_id = $2) and disabled_at is null
           and one_time_password_until is not null and last_signed_in_at is null
        returning *
      ), void as (
        delete from access_links where user_id in (select id from changed)
      )
      select ${forgetLinks("a new invitation replaced it", "$7")},
             write_audit_entry($6, 'user.invite_again', c.reseller_id, 'user:' || c.id, '', '{}', $7, $8, c.name),
             invite_user(c::users, $5, $7)
        from changed c`;
