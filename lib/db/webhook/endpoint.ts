import type { ChangedBy } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import type { EventKind } from "#lib/domain/events.ts";
import type { EventId, ResellerId, WebhookEndpointId } from "#lib/domain/ids.ts";

/** An endpoint without its secrets. */
export interface WebhookEndpointRow {
  readonly id: WebhookEndpointId;
  readonly url: string;
  readonly description: string;
  /** Empty: all kinds. */
  readonly kinds: readonly EventKind[];
  readonly concurrency: number;
  readonly ordered: boolean;
  readonly pausedAt: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledReason: "gone" | "failing" | null;
  readonly firstFailedAt: Date | null;
  /** Since when it has not met a challenge; null once it has. */
  readonly pendingSince: Date | null;
  /** Null: no challenge was sent to this URL. */
  readonly challengeEventId: EventId | null;
  /** Why the last challenge was not met; null while its answer is awaited. */
  readonly challengeError: string | null;
  /** Until when the secret before the last rotation signs too; in the past or null: it does not. */
  readonly previousSecretUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What an audit entry tells of an endpoint that is changed. */
const audited = (
  row: string,
) => `jsonb_build_object('url', ${row}.url, 'description', ${row}.description, 'kinds', ${row}.kinds,
                                  'concurrency', ${row}.concurrency, 'ordered', ${row}.ordered)`;

const columns = `
  id, url, description, kinds, concurrency, ordered, paused_at as "pausedAt", disabled_at as "disabledAt",
  disabled_reason as "disabledReason", first_failed_at as "firstFailedAt",
  pending_since as "pendingSince", challenge_event_id as "challengeEventId", challenge_error as "challengeError",
  previous_secret_until as "previousSecretUntil", created_at as "createdAt", updated_at as "updatedAt"`;

/** Null: the reseller has `limit` endpoints. */
export async function insertWebhookEndpoint(
  db: Database,
  endpoint: {
    readonly resellerId: ResellerId;
    readonly url: string;
    readonly description: string;
    readonly kinds: readonly EventKind[];
    readonly concurrency: number;
    readonly ordered: boolean;
    readonly sealId: string;
    readonly secret: Uint8Array;
  },
  limit: number,
  by: ChangedBy,
): Promise<WebhookEndpointRow | null> {
  const { resellerId, sealId, secret, ...rest } = endpoint;
  const fields = { ...rest, reseller_id: resellerId, seal_id: sealId, created_at: by.now };
  const [row] = await db.query<WebhookEndpointRow>({
    name: "create_webhook_endpoint",
    text: `
      with added as (
        select * from create_webhook_endpoint($1, $2, $3)
      ), audited as (
        select write_audit_entry($4, 'webhook.create', a.reseller_id, 'webhook_endpoint:' || a.id, '', ${audited("a")}, $5, $6, a.url)
          from added a
      )
      select ${columns} from added cross join audited`,
    values: [JSON.stringify(fields), secret, limit, by.actor, by.now, by.requestId],
  });
  return row ?? null;
}

/** In the order of their making. */
export async function listWebhookEndpointRows(db: Database, resellerId: ResellerId): Promise<WebhookEndpointRow[]> {
  return db.query<WebhookEndpointRow>({
    name: "list_webhook_endpoints",
    text: `select ${columns} from webhook_endpoints where reseller_id = $1 order by id`,
    values: [resellerId],
  });
}

export async function findWebhookEndpoint(
  db: Database,
  resellerId: ResellerId,
  id: number,
): Promise<WebhookEndpointRow | null> {
  const [row] = await db.query<WebhookEndpointRow>({
    name: "find_webhook_endpoint",
    text: `select ${columns} from webhook_endpoints where reseller_id = $1 and id = $2`,
    values: [resellerId, id],
  });
  return row ?? null;
}

/** What is given is changed, the rest stays. Null: the reseller has no such endpoint. */
export async function updateWebhookEndpointRow(
  db: Database,
  resellerId: ResellerId,
  id: number,
  change: {
    readonly url?: string | undefined;
    readonly description?: string | undefined;
    readonly kinds?: readonly EventKind[] | undefined;
    readonly concurrency?: number | undefined;
    readonly ordered?: boolean | undefined;
  },
  by: ChangedBy,
): Promise<WebhookEndpointRow | null> {
  const { url, description, kinds, concurrency, ordered } = change;
  const [row] = await db.query<WebhookEndpointRow>({
    name: "update_webhook_endpoint",
    text: `
      with old as (
        select * from webhook_endpoints where reseller_id = $1 and id = $2 for update
      ), changed as (
        update webhook_endpoints e set
            url = coalesce($3, old.url), description = coalesce($4, old.description), kinds = coalesce($5::text[], old.kinds),
            concurrency = coalesce($6, old.concurrency), ordered = coalesce($7, old.ordered), updated_at = $8,
            pending_since = case when $3 <> old.url then $8 else old.pending_since end,
            challenge_event_id = case when $3 <> old.url then null else old.challenge_event_id end,
            challenge_error = case when $3 <> old.url then null else old.challenge_error end
          from old where e.id = old.id returning e.*
      ), audited as (
        select write_audit_entry($9, 'webhook.update', c.reseller_id, 'webhook_endpoint:' || c.id, '',
                 jsonb_build_object('changes', changes_between(${audited("old")}, ${audited("c")})), $8, $10, c.url)
          from changed c, old
      )
      select ${columns} from changed cross join audited`,
    values: [resellerId, id, url, description, kinds, concurrency, ordered, by.now, by.actor, by.requestId],
  });
  return row ?? null;
}

/** Pauses (`paused`) or sets going again, whatever stopped it. Null: the reseller has no such endpoint. */
export async function updateWebhookEndpointPause(
  db: Database,
  resellerId: ResellerId,
  id: number,
  paused: boolean,
  by: ChangedBy,
): Promise<WebhookEndpointRow | null> {
  const change = paused
    ? "paused_at = coalesce(e.paused_at, $3)"
    : "paused_at = null, disabled_at = null, disabled_reason = null, first_failed_at = null";
  const [row] = await db.query<WebhookEndpointRow>({
    name: paused ? "pause_webhook_endpoint" : "resume_webhook_endpoint",
    text: `
      with old as (
        select id, paused_at, disabled_at from webhook_endpoints where reseller_id = $1 and id = $2 for update
      ), changed as (
        update webhook_endpoints e set ${change}, updated_at = $3 from old where e.id = old.id returning e.*
      ), audited as (
        select case when (old.paused_at is null and old.disabled_at is null) = $6 then
                 write_audit_entry($4, case when $6 then 'webhook.pause' else 'webhook.resume' end, c.reseller_id,
                                   'webhook_endpoint:' || c.id, '', '{}', $3, $5, c.url) end
          from changed c, old
      )
      select ${columns} from changed cross join audited`,
    values: [resellerId, id, by.now, by.actor, by.requestId, paused],
  });
  return row ?? null;
}

/** With all its deliveries. False: the reseller has no such endpoint. */
export async function deleteWebhookEndpointRow(
  db: Database,
  resellerId: ResellerId,
  id: number,
  by: ChangedBy,
): Promise<boolean> {
  const rows = await db.query({
    name: "delete_webhook_endpoint",
    text: `
      with deleted as (delete from webhook_endpoints where reseller_id = $1 and id = $2 returning *)
      select write_audit_entry($3, 'webhook.delete', d.reseller_id, 'webhook_endpoint:' || d.id, '', ${audited("d")}, $4, $5, d.url)
        from deleted d`,
    values: [resellerId, id, by.actor, by.now, by.requestId],
  });
  return rows.length === 1;
}

/** What the endpoint's secrets are sealed for; null: the reseller has no such endpoint. */
export async function findWebhookSealId(db: Database, resellerId: ResellerId, id: number): Promise<string | null> {
  const [row] = await db.query<{ seal_id: string }>({
    name: "find_webhook_seal_id",
    text: "select seal_id from webhook_endpoints where reseller_id = $1 and id = $2",
    values: [resellerId, id],
  });
  return row?.seal_id ?? null;
}

/** The secret becomes the previous one, which signs too until then. Null: the reseller has no such endpoint. */
export async function rotateWebhookSecretRow(
  db: Database,
  resellerId: ResellerId,
  id: number,
  rotation: { readonly secret: Uint8Array; readonly previousUntil: Date; readonly by: ChangedBy },
): Promise<WebhookEndpointRow | null> {
  const [row] = await db.query<WebhookEndpointRow>({
    name: "rotate_webhook_secret",
    text: `
      with changed as (
        update webhook_endpoints set previous_secret = secret, previous_secret_until = $4, secret = $3, updated_at = $5
         where reseller_id = $1 and id = $2 returning *
      ), audited as (
        select write_audit_entry($6, 'webhook.rotate_secret', c.reseller_id, 'webhook_endpoint:' || c.id, '',
                 jsonb_build_object('old_secret_until', $4::timestamptz), $5, $7, c.url)
          from changed c
      )
      select ${columns} from changed cross join audited`,
    values: [
      resellerId,
      id,
      rotation.secret,
      rotation.previousUntil,
      rotation.by.now,
      rotation.by.actor,
      rotation.by.requestId,
    ],
  });
  return row ?? null;
}

/** Ends it, and discards what waits for it. False: it was disabled before, or is no more. */
export async function disableWebhookEndpoint(
  db: Database,
  id: WebhookEndpointId,
  reason: "gone" | "failing",
  by: ChangedBy,
): Promise<boolean> {
  const [row] = await db.query<{ disabled: boolean }>({
    name: "disable_webhook_endpoint",
    text: "select disable_webhook_endpoint($1, $2, $3, $4, $5) as disabled",
    values: [id, reason, by.actor, by.now, by.requestId],
  });
  return row?.disabled ?? false;
}
