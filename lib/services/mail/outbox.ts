import { recordAudit } from "#lib/db/audit/audit.ts";
import {
  findMailRow,
  type MailRow,
  type MailState,
  mailListing,
  retryMailRow,
  type StoredMailRow,
} from "#lib/db/mail/mail.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { hasSecretLink, secretLinkUrl } from "#lib/domain/mail/kinds.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { type Page, readPage } from "#lib/services/page.ts";
import { requireManageable } from "#lib/services/user/manager.ts";
import { formatWithToken, openToken } from "./format.ts";
import { mailSettingsOf } from "./settings.ts";

export type { MailRow, MailState } from "#lib/db/mail/mail.ts";

export interface OutboxPage extends Page<MailRow, string> {
  /** Without one, nothing is sent. */
  readonly hasServer: boolean;
}

/** Messages, newest first. */
export async function listMails(
  ctx: ServiceContext,
  input: {
    readonly before?: string | null;
    readonly state?: MailState | null;
    readonly recipient?: string | null;
    readonly limit?: number;
  },
): Promise<OutboxPage> {
  requireAdmin(ctx, "admin:read");
  const { before = null, state = null, recipient = null, limit } = input;
  const { list, count } = mailListing(ctx.db, { state, recipient });
  // A part of an address is compared with every message.
  const mails = { list, count: recipient === null ? count : null };
  const page = await readPage({ before, limit }, mails, ({ id }) => id);
  return { ...page, hasServer: mailSettingsOf(ctx).hasServer };
}

export interface MailDetails extends MailRow {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Whether its link can be shown (`showMailLink`). */
  readonly hasLink: boolean;
  readonly hasServer: boolean;
}

/** A message with its text, without its secret link. @throws DomainError `not_found` */
export async function getMail(ctx: ServiceContext, input: { readonly mailId: string }): Promise<MailDetails> {
  requireAdmin(ctx, "admin:read");
  const { messageId, data, secret, ...row } = await getStored(ctx, input.mailId);
  const { subject, text, html } = formatWithToken(ctx, { ...row, messageId, data, secret }, null);
  return {
    ...row,
    subject,
    text,
    html,
    hasLink: secret !== null && hasSecretLink(row.kind),
    hasServer: mailSettingsOf(ctx).hasServer,
  };
}

/**
 * The secret link of a message that was not delivered, to be handed over; audited. Admins can also invite users and reset
 * passwords, except their own.
 * @throws DomainError `not_found`, `state_invalid` (one's own, delivered, or ended).
 */
export async function showMailLink(
  ctx: ServiceContext,
  input: { readonly mailId: string },
): Promise<{ readonly url: string }> {
  requireAdmin(ctx, "users:write");
  const mail = await getStored(ctx, input.mailId);
  if (ctx.actor.kind === "admin" && ctx.actor.userId === mail.userId) {
    throw new DomainError("state_invalid", "Change your own password in the settings.");
  }
  await requireManageable(ctx, null, mail.userId);
  const token = openToken(ctx, mail);
  if (token === null) throw new DomainError("state_invalid", "The link was delivered or used, or its time is over.");
  const audited = { action: "mail.show_link", subject: `user:${mail.userId}`, label: mail.userName } as const;
  await recordAudit(writesOf(ctx), auditRecord(ctx, { ...audited, data: { kind: mail.kind } }));
  return { url: secretLinkUrl(mailSettingsOf(ctx).publicUrl, mail.kind, token) };
}

/** Sends a message again, for another day. @throws DomainError `not_found`, `state_invalid`. */
export async function retryMail(ctx: ServiceContext, input: { readonly mailId: string }): Promise<void> {
  requireAdmin(ctx, "users:write");
  const mail = await getStored(ctx, input.mailId);
  if (!(await retryMailRow(writesOf(ctx), mail.id, ctx.now()))) {
    throw new DomainError(
      "state_invalid",
      "It was delivered or is being sent, its link has ended, or its user is disabled.",
    );
  }
  const audited = { action: "mail.retry", subject: `user:${mail.userId}`, label: mail.userName } as const;
  await recordAudit(writesOf(ctx), auditRecord(ctx, { ...audited, data: { kind: mail.kind } }));
}

async function getStored(ctx: ServiceContext, id: string): Promise<StoredMailRow> {
  const mail = await findMailRow(ctx.db, id);
  if (mail) return mail;
  throw new DomainError("not_found", "There is no such message.");
}
