import { z } from "zod";
import { eventKinds, webhookKinds } from "#lib/domain/events.ts";
import {
  type EventId,
  formatEventId,
  formatLicenseId,
  formatWebhookEndpointId,
  NIL_UUID,
  parseEventId,
} from "#lib/domain/ids.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import { type AttemptRow, getWebhookEvent } from "#lib/services/webhook/get-event.ts";
import { type EventPlace, type EventRow, listEvents } from "#lib/services/webhook/list-events.ts";
import { resendEvent } from "#lib/services/webhook/resend.ts";
import { ok } from "./present.ts";

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 100;
const cursorPattern = /^(\d{1,15}):(\d{1,18})$/;

const id = parameter.inPath(parseEventId, NIL_UUID as EventId);

/** Position of the next page, opaque to callers. */
const cursor = parameter.text((text): EventPlace | null => {
  const [, ms, sequence] = cursorPattern.exec(Buffer.from(text, "base64url").toString("latin1")) ?? [];
  const occurredAt = new Date(Number(ms));
  return sequence && !Number.isNaN(occurredAt.getTime()) ? { occurredAt, sequence } : null;
}, "is not a valid cursor");

function toCursor({ occurredAt, sequence }: EventPlace): string {
  return Buffer.from(`${occurredAt.getTime()}:${sequence}`, "latin1").toString("base64url");
}

const eventAnswer = z
  .strictObject({
    id: field.text,
    event: z.enum(webhookKinds),
    timestamp: field.time,
    license_id: field.licenseId.nullable(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ title: "Event" });
const attemptAnswer = z.strictObject({
  number: field.count,
  manual: field.flag,
  started_at: field.time,
  success: field.flag.nullable(),
  status: field.count.nullable(),
  duration_ms: field.count.nullable(),
  error: field.text.nullable(),
  response: field.text.nullable(),
});
const deliveryAnswer = z.strictObject({
  webhook_endpoint_id: field.text,
  url: field.text,
  text: field.text.nullable(),
  state: z.enum(["pending", "succeeded", "failed", "discarded"]),
  next_attempt_at: field.time.nullable(),
  attempts: z.array(attemptAnswer),
});

/** The webhook payload with its id. */
function present(event: EventRow) {
  return {
    id: formatEventId(event.id),
    event: event.kind,
    timestamp: toTimestamp(event.occurredAt),
    license_id: event.licenseId === null ? null : formatLicenseId(event.licenseId),
    data: event.data,
  };
}

function presentAttempt(attempt: AttemptRow) {
  return {
    number: attempt.number,
    manual: attempt.manual,
    started_at: toTimestamp(attempt.startedAt),
    success: attempt.succeeded,
    status: attempt.status,
    duration_ms: attempt.durationMs,
    error: attempt.error,
    response: attempt.responseStart,
  };
}

/** GET /events: newest first. */
export const eventList = defineEndpoint({
  name: "events",
  method: "GET",
  scope: "webhooks:read",
  parameters: z.object({
    limit: parameter.integerUpTo(MAX_LIMIT).optional(),
    cursor: cursor.optional(),
    kind: z.enum(eventKinds, { error: `must be one of ${eventKinds.join(", ")}` }).optional(),
    license_id: parameter.licenseId.optional(),
  }),
  responses: { 200: z.strictObject({ events: z.array(eventAnswer), next_cursor: field.text.nullable() }) },
  async handle(ctx, { limit = DEFAULT_LIMIT, cursor: before = null, ...filter }) {
    const page = await listEvents(ctx, { ...filter, before, limit });
    const next_cursor = page.next && toCursor(page.next);
    return ok({ events: page.rows.map(present), next_cursor });
  },
});

/** GET /events/{id}: with all delivery attempts. */
export const eventGet = defineEndpoint({
  name: "events.get",
  method: "GET",
  scope: "webhooks:read",
  parameters: z.object({ id }),
  responses: { 200: eventAnswer.extend({ deliveries: z.array(deliveryAnswer) }) },
  async handle(ctx, { id }) {
    const { event, deliveries } = await getWebhookEvent(ctx, { eventId: id });
    return ok({
      ...present(event),
      deliveries: deliveries.map((delivery) => ({
        webhook_endpoint_id: formatWebhookEndpointId(delivery.endpointId),
        url: delivery.endpointUrl,
        text: delivery.text,
        state: delivery.state,
        next_attempt_at: delivery.nextAttemptAt && toTimestamp(delivery.nextAttemptAt),
        attempts: delivery.attempts.map(presentAttempt),
      })),
    });
  },
});

/** POST /events/{id}/resend: to one endpoint, or to all that subscribe to its kind. */
export const eventResend = defineEndpoint({
  name: "events.resend",
  method: "POST",
  scope: "webhooks:write",
  parameters: z.object({ id, webhook_endpoint_id: parameter.webhookEndpointId.optional() }),
  responses: { 202: z.strictObject({ id: field.text, webhook_endpoint_ids: z.array(field.text) }) },
  async handle(ctx, { id, webhookEndpointId: endpointId }) {
    const { endpointIds } = await resendEvent(ctx, { eventId: id, endpointId });
    const body = { id: formatEventId(id), webhook_endpoint_ids: endpointIds.map(formatWebhookEndpointId) };
    return { status: 202, body };
  },
});
