import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { batchPerDatabase } from "#lib/db/connection/batch.ts";
import type { Database } from "#lib/db/connection/client.ts";
import {
  as,
  bigint,
  boolean,
  bytes,
  int,
  jsonObject,
  nullable,
  oneOf,
  text,
  timestamp,
} from "#lib/db/connection/columns.ts";
import { defineAny, defineGetValue, defineList, defineListValues, defineRun } from "#lib/db/connection/define.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { Lease } from "#lib/db/lease/keeper.ts";
import { CHALLENGE_KIND, webhookKinds } from "#lib/domain/events.ts";
import type { EventId, ResellerId, WebhookEndpointId } from "#lib/domain/ids.ts";
import { webhookFormats } from "#lib/domain/webhook-format.ts";
import type { TargetLimits } from "#lib/domain/webhook-limits.ts";
import { eventProductName } from "./log.ts";

const claimedDelivery = {
  deliveryId: bigint,
  /** Number of the attempt within this delivery. */
  attemptNumber: int,
  failureCount: int,
  /** The endpoint's last attempt failed. */
  failing: boolean,
  endpointId: as<WebhookEndpointId>(int),
  format: oneOf(webhookFormats),
  /** As it is shown: a chat's secret has the rest. */
  url: text,
  chatId: nullable(text),
  /** The reseller is a sandbox. */
  testMode: boolean,
  /** The resolved address that the attempt counts against. Null: not resolved yet. */
  target: nullable(text),
  sealId: text,
  /** Its endpoint's; a new destination has another one. */
  challengeEventId: nullable(as<EventId>(text)),
  secret: bytes,
  previousSecret: nullable(bytes),
  previousSecretUntil: nullable(timestamp),
  eventId: as<EventId>(text),
  kind: oneOf(webhookKinds),
  data: jsonObject,
  productName: nullable(text),
  occurredAt: timestamp,
};
/** A delivery that only the caller may attempt. */
export type ClaimedDelivery = RowOf<typeof claimedDelivery>;

/** Claims due deliveries fairly: `prisma/sql/functions/claim_webhook_deliveries.sql`. */
export const claimWebhookDeliveries = defineList("claim_webhook_deliveries", claimedDelivery).values(
  (
    lease: Lease,
    claim: {
      readonly now: Date;
      readonly slots: number;
      /** The share of failing endpoints. */
      readonly failingSlots: number;
      readonly limits: TargetLimits;
    },
  ) => [
    lease.ownerId,
    lease.token,
    claim.now,
    claim.slots,
    claim.failingSlots,
    claim.limits.concurrency,
    claim.limits.perSecond,
    claim.limits.challengesPerHour,
    webhookFormats,
  ],
)`
      select delivery_id as "deliveryId", attempt_number as "attemptNumber", failure_count as "failureCount", failing,
             endpoint_id as "endpointId", format, url, chat_id as "chatId", test_mode as "testMode", target, seal_id as "sealId",
             challenge_event_id as "challengeEventId", secret,
             previous_secret as "previousSecret", previous_secret_until as "previousSecretUntil", event_id as "eventId", kind, data, ${eventProductName}, occurred_at as "occurredAt"
        from claim_webhook_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/**
 * Releases a claimed delivery whose host resolved to another target, which its endpoint keeps for the next claim's limits.
 * Removes the attempt, since nothing was sent.
 */
export const redirectWebhookDelivery = defineRun("redirect_webhook_delivery").values(
  (lease: Lease, deliveryId: bigint, target: string) => [deliveryId, lease.token, target],
)`
      with endpoint as materialized (
        select e.id from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id where d.id = $1 for no key update of e
      ), delivery as (
        select d.id, d.endpoint_id, d.attempt_count from endpoint e join webhook_deliveries d on d.endpoint_id = e.id
         where d.id = $1 and d.lease_token = $2 and d.owner_id is not null for update of d
      ), unsent as (
        delete from webhook_attempts a using delivery d where a.delivery_id = d.id and a.number = d.attempt_count
        returning a.manual
      ), released as (
        update webhook_deliveries d set
            owner_id = null, attempt_count = d.attempt_count - 1,
            resent = d.resent or coalesce((select manual from unsent), false)
          from delivery where d.id = delivery.id and d.lease_token = $2
      )
      update webhook_endpoints e set target = $3 from delivery d where e.id = d.endpoint_id and e.target is distinct from $3`;

/** Releases a claimed delivery without a result; without an id, all claimed under the lease. */
export const releaseWebhookDeliveries = defineRun("release_webhook_deliveries").values(
  (lease: Lease, deliveryId: bigint | null) => [lease.ownerId, lease.token, deliveryId],
)`
      with claimed as materialized (
        select d.id from webhook_deliveries d
         where d.owner_id = $1 and d.lease_token = $2 and ($3::bigint is null or d.id = $3) order by d.id for no key update
      )
      update webhook_deliveries d set owner_id = null from claimed c where d.id = c.id`;

export interface AttemptResult {
  readonly deliveryId: bigint;
  /** The token of its claim. */
  readonly leaseToken: string;
  readonly attemptNumber: number;
  readonly endpointId: WebhookEndpointId;
  readonly succeeded: boolean;
  readonly durationMs: number;
  readonly status: number | null;
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly responseStart: string | null;
  readonly error: string | null;
  /** Null: no attempt remains. */
  readonly nextAttemptAt: Date | null;
  readonly endedAt: Date;
  /** Challenges do not count as the endpoint's success or failure. */
  readonly challenge: boolean;
  /** As claimed. */
  readonly challengeEventId: EventId | null;
}

/** Since when the endpoint has been failing; null after a success or a first failure. */
export type FailingSince = Date | null;

const recordWebhookAttempts = statement("record_webhook_attempts", {
  endpoint_id: as<WebhookEndpointId>(int),
  first_failed_at: nullable(timestamp),
})`select endpoint_id, first_failed_at from record_webhook_attempts($1)`;

async function recordAttempts(db: Database, results: readonly AttemptResult[]): Promise<FailingSince[]> {
  const rows = results.map((result) => ({
    delivery_id: String(result.deliveryId),
    endpoint_id: result.endpointId,
    number: result.attemptNumber,
    lease_token: result.leaseToken,
    succeeded: result.succeeded,
    duration_ms: result.durationMs,
    status: result.status,
    request_headers: result.requestHeaders,
    response_start: result.responseStart,
    error: result.error,
    next_attempt_at: result.nextAttemptAt,
    ended_at: result.endedAt,
    challenge: result.challenge,
    challenge_event_id: result.challengeEventId,
  }));
  const failing = await db.query(recordWebhookAttempts, [JSON.stringify(rows)]);
  const since = new Map(failing.map((row) => [row.endpoint_id, row.first_failed_at]));
  return results.map(({ succeeded, endpointId }) => (succeeded ? null : (since.get(endpointId) ?? null)));
}

const recordInBatch = batchPerDatabase(recordAttempts);

/** Records an attempt and advances its delivery, batched with concurrent results. */
export function recordWebhookAttempt(db: Database, result: AttemptResult): Promise<FailingSince> {
  return recordInBatch(db, result);
}

/** Queues a delivery job, if a worker has ever run. */
export const wakeWebhookDelivery = defineRun("wake_webhook_delivery")`
      select wake_webhook_delivery()`;

export const beginAnew = "state = 'pending', failure_count = 0, resent = true, next_attempt_at = $4";

/** With the actor as $3, the time as $4 and the request as $5. @param e an endpoint */
export const auditResend = (e: string, data: string) =>
  `write_audit_entry($3, 'webhook.resend', ${e}.reseller_id, 'webhook_endpoint:' || ${e}.id, '', ${data}, $4, $5, ${e}.url)`;

/** Restarts a delivery's schedule. False: no such delivery, or its endpoint is paused or disabled. */
export const requeueDelivery = defineAny("requeue_webhook_delivery").values(
  (resellerId: ResellerId, deliveryId: bigint, by: ChangedBy) => [resellerId, deliveryId, ...changeValues(by)],
)`
      with queued as (
        update webhook_deliveries d set ${beginAnew} from webhook_endpoints e
         where d.reseller_id = $1 and d.id = $2 and e.id = d.endpoint_id and e.pending_since is null
           and e.paused_at is null and e.disabled_at is null
        returning d.event_id, e.*
      )
      select ${auditResend("q", "jsonb_build_object('event', q.event_id)")} from queued q`;

/**
 * Queues an event again for one endpoint or for all endpoints subscribed to its kind; a test event for its own
 * endpoint. Skips paused and disabled endpoints. Returns the endpoints.
 */
export const requeueEvent = defineListValues("requeue_event", { endpoint_id: as<WebhookEndpointId>(int) }).values(
  (
    resellerId: ResellerId,
    resend: { readonly eventId: EventId; readonly endpointId: number | null },
    by: ChangedBy,
  ) => {
    const { eventId, endpointId } = resend;
    return [resellerId, eventId, ...changeValues(by), endpointId];
  },
)`
      with sent as materialized (
        select v.id as event_id, e.id as endpoint_id
          from events v join webhook_endpoints e on e.reseller_id = v.reseller_id
         where v.reseller_id = $1 and v.id = $2 and e.pending_since is null and e.paused_at is null and e.disabled_at is null
           and e.id = coalesce(v.test_endpoint_id, $6, e.id)
           and ($6::int is not null or v.test_endpoint_id is not null or cardinality(e.kinds) = 0 or v.kind = any (e.kinds))
         order by e.id for key share of e
      ), locked as materialized (
        select d.id from sent s join webhook_deliveries d on d.event_id = s.event_id and d.endpoint_id = s.endpoint_id
         where d.reseller_id = $1 order by d.id for no key update of d
      ), queued as (
        insert into webhook_deliveries as d (event_id, endpoint_id, reseller_id, next_attempt_at, created_at, resent)
        select event_id, endpoint_id, $1, $4, $4, true from sent where (select count(*) from locked) >= 0
        on conflict (event_id, endpoint_id) do update set ${beginAnew}
        returning endpoint_id
      ), audited as (
        select e.id as endpoint_id, ${auditResend("e", "jsonb_build_object('event', $2::uuid)")}
          from queued q join webhook_endpoints e on e.id = q.endpoint_id and e.reseller_id = $1
      )
      select endpoint_id from audited order by endpoint_id`;

export const notDelivered = `reseller_id = $1 and endpoint_id = $2 and state in ('failed', 'discarded')
         and event_id not in (select id from events where reseller_id = $1 and kind = '${CHALLENGE_KIND}')`;

/** Number of an endpoint's failed or discarded deliveries since then. */
export const countNotDelivered = defineGetValue("count_not_delivered", { count: int })<
  [resellerId: ResellerId, endpointId: number, since: Date]
>`
      select count(*)::int as count from webhook_deliveries where ${notDelivered} and created_at >= $3`;
