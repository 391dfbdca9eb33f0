import type { Database } from "#lib/db/connection/client.ts";
import { as, text } from "#lib/db/connection/columns.ts";
import { defineRun } from "#lib/db/connection/define.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { UserId } from "#lib/domain/ids.ts";
import type { MailKind } from "#lib/domain/mail/kinds.ts";

const listMailOptOuts = statement("list_mail_opt_outs", {
  kind: as<MailKind>(text),
})`select kind from mail_opt_outs where user_id = $1 order by kind`;

/** The kinds that a user has switched off. */
export async function listOptOuts(db: Database, userId: UserId): Promise<MailKind[]> {
  return (await db.query(listMailOptOuts, [userId])).map(({ kind }) => kind);
}

/** Switches these kinds off, and all others on. */
export const replaceOptOuts = defineRun("replace_mail_opt_outs")<[userId: UserId, kinds: readonly MailKind[]]>`
      with removed as (
        delete from mail_opt_outs where user_id = $1 and kind <> all ($2::text[])
      )
      insert into mail_opt_outs (user_id, kind) select $1, unnest($2::text[]) on conflict do nothing`;

/** Idempotent. */
export const addOptOut = defineRun("add_mail_opt_out")<[userId: UserId, kind: MailKind]>`
      insert into mail_opt_outs (user_id, kind) select id, $2 from users where id = $1 on conflict do nothing`;
