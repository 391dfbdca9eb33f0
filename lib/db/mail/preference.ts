import { as, text } from "#lib/db/connection/columns.ts";
import { defineListValues, defineRun } from "#lib/db/connection/define.ts";
import type { UserId } from "#lib/domain/ids.ts";
import type { MailKind } from "#lib/domain/mail/kinds.ts";

/** The kinds that a user has switched off. */
export const listOptOuts = defineListValues("list_mail_opt_outs", { kind: as<MailKind>(text) })<[userId: UserId]>`
      select kind from mail_opt_outs where user_id = $1 order by kind`;

/** Switches these kinds off, and all others on. */
export const replaceOptOuts = defineRun("replace_mail_opt_outs")<[userId: UserId, kinds: readonly MailKind[]]>`
      with removed as (
        delete from mail_opt_outs where user_id = $1 and kind <> all ($2::text[])
      )
      insert into mail_opt_outs (user_id, kind) select $1, unnest($2::text[]) on conflict do nothing`;

/** Idempotent. */
export const addOptOut = defineRun("add_mail_opt_out")<[userId: UserId, kind: MailKind]>`
      insert into mail_opt_outs (user_id, kind) select id, $2 from users where id = $1 on conflict do nothing`;
