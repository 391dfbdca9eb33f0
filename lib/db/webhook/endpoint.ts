import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, boolean, int, list, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineList } from "#lib/db/connection/define.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import { type EventKind, eventKinds } from "#lib/domain/events.ts";
import type { EventId, ResellerId, WebhookEndpointId } from "#lib/domain/ids.ts";
import { type WebhookFormat, webhookFormats } from "#lib/domain/webhook-format.ts";
import { discardDeliveries } from "./deliveries-in-batches.ts";

/** An endpoint without its secrets. */
export const webhookEndpointRow = {
  id: as<WebhookEndpointId>(int),
  format: oneOf(webhookFormats),
  /** Of a chat: without its secret part. */
  url: text,
  /** Telegram only. */
  chatId: nullable(text),
  description: text,
  /** Empty: all kinds. */
  kinds: list(oneOf(eventKinds)),
  concurrency: int,
  ordered: boolean,
  pausedAt: nullable(timestamp),
  disabledAt: nullable(timestamp),
  disabledReason: nullable(oneOf(["gone", "failing"])),
  firstFailedAt: nullable(timestamp),
  /** Pending since then; null once it has met a challenge. */
  pendingSince: nullable(timestamp),
  /** Null: no challenge was sent to this URL. */
  challengeEventId: nullable(as<EventId>(text)),
  /** Why the last challenge failed; null while one is pending. */
  challengeError: nullable(text),
  /** The previous secret also signs until then; null or past: it does not. */
  previousSecretUntil: nullable(timestamp),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** Of what a form shows of it. */
  version: text,
};
export type WebhookEndpointRow = RowOf<typeof webhookEndpointRow>;

/** The fields of an endpoint in audit entries. */
const audited = (
  row: string,
) => `jsonb_strip_nulls(jsonb_build_object('format', ${row}.format, 'url', ${row}.url, 'chat_id', ${row}.chat_id, 'description', ${row}.description, 'kinds', ${row}.kinds,
                                  'concurrency', ${row}.concurrency, 'ordered', ${row}.ordered))`;

const version = "md5(row(url, chat_id, description, kinds, concurrency, ordered)::text)";

export const webhookEndpointColumns = `
  id, format, url, chat_id as "chatId", description, kinds, concurrency, ordered, paused_at as "pausedAt", disabled_at as "disabledAt",
  disabled_reason as "disabledReason", first_failed_at as "firstFailedAt",
  pending_since as "pendingSince", challenge_event_id as "challengeEventId", challenge_error as "challengeError",
  previous_secret_until as "previousSecretUntil", created_at as "createdAt", updated_at as "updatedAt",
  ${version} as version`;

/** Null: the reseller has `limit` endpoints. */
export const insertWebhookEndpoint = defineFind("create_webhook_endpoint", webhookEndpointRow).values(
  (
    endpoint: {
      readonly resellerId: ResellerId;
      readonly format: WebhookFormat;
      readonly url: string;
      readonly chatId: string | null;
      readonly description: string;
      readonly kinds: readonly EventKind[];
      readonly concurrency: number;
      readonly ordered: boolean;
      readonly sealId: string;
      readonly secret: Uint8Array;
    },
    limit: number,
    by: ChangedBy,
  ) => {
    const { resellerId, format, url, chatId, description, kinds, concurrency, ordered, sealId, secret } = endpoint;
    const fields = [resellerId, format, url, chatId, description, kinds, concurrency, ordered, sealId, secret];
    return [...fields, limit, ...changeValues(by)];
  },
)`
      with added as (
        insert into webhook_endpoints (reseller_id, format, url, chat_id, description, kinds, concurrency, ordered, seal_id, secret,
                                       pending_since, created_at, updated_at)
        select $1, $2, $3, $4, $5, $6::text[], $7, $8, $9::uuid, $10, $13, $13, $13 where has_room('webhook_endpoints', $1, $11, $13)
        returning *
      ), audited as (
        select write_audit_entry($12, 'webhook.create', a.reseller_id, 'webhook_endpoint:' || a.id, '', ${audited("a")}, $13, $14, a.url)
          from added a
      )
      select ${webhookEndpointColumns} from added cross join audited`;

/** Oldest first. */
export const listWebhookEndpointRows = defineList("list_webhook_endpoints", webhookEndpointRow)<
  [resellerId: ResellerId]
>`
      select ${webhookEndpointColumns} from webhook_endpoints where reseller_id = $1 order by id`;

export const findWebhookEndpoint = defineFind("find_webhook_endpoint", webhookEndpointRow)<
  [resellerId: ResellerId, id: number]
>`
      select ${webhookEndpointColumns} from webhook_endpoints where reseller_id = $1 and id = $2`;

/**
 * Updates the given fields. Null: no such endpoint, or another version.
 * @param seenVersion null: any version
 */
export const updateWebhookEndpointRow = defineFind("update_webhook_endpoint", webhookEndpointRow).values(
  (
    resellerId: ResellerId,
    id: number,
    change: {
      readonly url?: string | undefined;
      /** A chat's. */
      readonly secret?: Uint8Array | undefined;
      readonly chatId?: string | undefined;
      readonly description?: string | undefined;
      readonly kinds?: readonly EventKind[] | undefined;
      readonly concurrency?: number | undefined;
      readonly ordered?: boolean | undefined;
    },
    seenVersion: string | null,
    by: ChangedBy,
  ) => {
    const { url, secret, chatId, description, kinds, concurrency, ordered } = change;
    const fields = [url, description, kinds, concurrency, ordered];
    return [resellerId, id, ...fields, ...changeValues(by), secret, chatId, seenVersion];
  },
)`
      with old as (
        select *, $3 <> url or $11::bytea is not null or $12 <> chat_id as redirected
          from webhook_endpoints where reseller_id = $1 and id = $2 and ($13::text is null or ${version} = $13) for update
      ), changed as (
        update webhook_endpoints e set
            secret = coalesce($11, old.secret), chat_id = coalesce($12, old.chat_id), url = coalesce($3, old.url), description = coalesce($4, old.description), kinds = coalesce($5::text[], old.kinds),
            concurrency = coalesce($6, old.concurrency), ordered = coalesce($7, old.ordered), updated_at = $9,
            pending_since = case when old.redirected then $9 else old.pending_since end,
            challenge_event_id = case when old.redirected then null else old.challenge_event_id end,
            challenge_error = case when old.redirected then null else old.challenge_error end
          from old where e.id = old.id and e.reseller_id = $1 returning e.*
      ), audited as (
        select write_audit_entry($8, 'webhook.update', c.reseller_id, 'webhook_endpoint:' || c.id, '',
                 jsonb_build_object('changes', changes_between(${audited("old")}, ${audited("c")}))
                   || case when $11 is null then '{}' else '{"secret_replaced": true}'::jsonb end, $9, $10, c.url)
          from changed c, old
      )
      select ${webhookEndpointColumns} from changed cross join audited`;

const setPaused = (name: string, change: string) =>
  statement(name, webhookEndpointRow)`
      with old as (
        select id, paused_at, disabled_at from webhook_endpoints where reseller_id = $1 and id = $2 for update
      ), changed as (
        update webhook_endpoints e set ${change}, updated_at = $4 from old where e.id = old.id and e.reseller_id = $1 returning e.*
      ), audited as (
        select case when (old.paused_at is null and old.disabled_at is null) = $6 then
                 write_audit_entry($3, case when $6 then 'webhook.pause' else 'webhook.resume' end, c.reseller_id,
                                   'webhook_endpoint:' || c.id, '', '{}', $4, $5, c.url) end
          from changed c, old
      )
      select ${webhookEndpointColumns} from changed cross join audited`;
const pauseWebhookEndpoint = setPaused("pause_webhook_endpoint", "paused_at = coalesce(e.paused_at, $4)");
const resumeWebhookEndpoint = setPaused(
  "resume_webhook_endpoint",
  "paused_at = null, disabled_at = null, disabled_reason = null, first_failed_at = null",
);

/** Pauses an endpoint, or resumes a paused or disabled one. Null: no such endpoint. */
export async function updateWebhookEndpointPause(
  db: Database,
  resellerId: ResellerId,
  id: number,
  paused: boolean,
  by: ChangedBy,
): Promise<WebhookEndpointRow | null> {
  const change = paused ? pauseWebhookEndpoint : resumeWebhookEndpoint;
  return findRow(db, change, [resellerId, id, ...changeValues(by), paused]);
}

/** With the deliveries that it still has. False: no such endpoint. */
export const deleteWebhookEndpointRow = defineAny("delete_webhook_endpoint").values(
  (resellerId: ResellerId, id: number, by: ChangedBy) => [resellerId, id, ...changeValues(by)],
)`
      with deleted as (delete from webhook_endpoints where reseller_id = $1 and id = $2 returning *)
      select write_audit_entry($3, 'webhook.delete', d.reseller_id, 'webhook_endpoint:' || d.id, '', ${audited("d")}, $4, $5, d.url)
        from deleted d`;

const disableEndpoint = defineAny("disable_webhook_endpoint")<
  [id: WebhookEndpointId, challengeEventId: EventId | null, reason: string, ...by: readonly unknown[]]
>`
      with disabled as (
        update webhook_endpoints set disabled_at = $5, disabled_reason = $3, updated_at = $5
         where id = $1 and challenge_event_id is not distinct from $2 and disabled_at is null returning *
      )
      select write_audit_entry($4, 'webhook.disable', d.reseller_id, 'webhook_endpoint:' || d.id, $3,
               jsonb_build_object('url', d.url, 'first_failed_at', d.first_failed_at), $5, $6, d.url)
        from disabled d`;

/**
 * Disables an endpoint that is gone or keeps failing, then discards its waiting deliveries, which nobody claims from then
 * on. False: it was disabled, deleted or given another destination before.
 */
export async function disableWebhookEndpoint(
  db: Database,
  { id, challengeEventId }: Pick<WebhookEndpointRow, "id" | "challengeEventId">,
  reason: "gone" | "failing",
  by: ChangedBy,
): Promise<boolean> {
  if (!(await disableEndpoint(db, id, challengeEventId, reason, ...changeValues(by)))) return false;
  await discardDeliveries(db, id);
  return true;
}
