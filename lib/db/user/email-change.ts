import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { boolean, nullable, oneOf, text } from "#lib/db/connection/columns.ts";
import { defineFind, defineGetValue } from "#lib/db/connection/define.ts";
import { safeModeStatement } from "#lib/db/connection/statement.ts";
import type { UserId } from "#lib/domain/ids.ts";

/** False: the password was changed meanwhile. `prisma/sql/functions/request_email_change.sql`. */
export const requestEmailChangeRow = defineGetValue("request_email_change", {
  done: boolean,
}).values(
  (
    userId: UserId,
    change: {
      readonly oldHash: string;
      readonly newEmail: string;
      readonly newHash: string;
      /** Links for the old and the new address. */
      readonly oldLink: object;
      readonly newLink: object;
    },
    by: ChangedBy,
  ) => {
    const { oldHash, newEmail, newHash, oldLink, newLink } = change;
    const links = [JSON.stringify(oldLink), JSON.stringify(newLink)];
    return [userId, oldHash, newEmail, newHash, ...links, ...changeValues(by)];
  },
)`select request_email_change($1, $2, $3, $4, $5, $6, $7, $8, $9) as done`;

const openEmailChange = { oldEmail: text, newEmail: text, isOld: boolean, isConfirmed: boolean };

/** By the token of either address; null: it is over or void. */
export const findOpenEmailChange = defineFind("find_email_change", openEmailChange, safeModeStatement)<
  [tokenHash: Buffer, now: Date]
>`
      select u.email as "oldEmail", c.new_email as "newEmail", c.old_token_hash = $1 as "isOld",
             case when c.old_token_hash = $1 then c.old_confirmed_at else c.new_confirmed_at end is not null as "isConfirmed"
        from email_changes c join users u on u.id = c.user_id
       where $1 in (c.old_token_hash, c.new_token_hash) and c.expires_at > $2 and u.disabled_at is null
         and c.password_mark = sha256(convert_to(u.password_hash, 'UTF8'))`;

/** Null: it is over or void. A user of the reseller with the new address is a unique violation. */
export const confirmEmailChangeRow = defineGetValue("confirm_email_change", {
  outcome: nullable(oneOf(["waiting", "changed"])),
}).values((tokenHash: Buffer, at: { readonly now: Date; readonly requestId: string }) => [
  tokenHash,
  at.now,
  at.requestId,
])`select confirm_email_change($1, $2, $3) as outcome`;
