import { z } from "zod";
import { eventKinds, webhookKinds } from "#lib/domain/events.ts";
import {
  formatEventId,
  formatWebhookEndpointId,
  parseWebhookEndpointId,
  type WebhookEndpointId,
} from "#lib/domain/ids.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { webhookFormats } from "#lib/domain/webhook-format.ts";
import { field } from "#lib/http/answer-fields.ts";
import { defineEndpoint } from "#lib/http/define-endpoint.ts";
import { parameter } from "#lib/http/parameters.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { deleteWebhookEndpoint } from "#lib/services/webhook/delete.ts";
import type { WebhookEndpointView } from "#lib/services/webhook/endpoint.ts";
import { getWebhookEndpoint } from "#lib/services/webhook/get.ts";
import { listWebhookEndpoints } from "#lib/services/webhook/list.ts";
import { rotateWebhookSecret } from "#lib/services/webhook/rotate-secret.ts";
import { sendTestEvent } from "#lib/services/webhook/send-test-event.ts";
import { setWebhookEndpointPaused } from "#lib/services/webhook/set-paused.ts";
import { updateWebhookEndpoint } from "#lib/services/webhook/update.ts";
import { verifyWebhookEndpoint } from "#lib/services/webhook/verify.ts";
import { ok } from "./present.ts";

const id = parameter.inPath(parseWebhookEndpointId, 0 as WebhookEndpointId);
const eventList = { error: "must be a list of event kinds" };
const anyText = z.string({ error: "must be text" });
const optionalFields = {
  format: z.enum(webhookFormats, { error: `must be one of: ${webhookFormats.join(", ")}` }).optional(),
  url: anyText.optional(),
  bot_token: anyText.optional(),
  chat_id: anyText.optional(),
  description: anyText.optional(),
  /** Kinds; empty means all. */
  events: z.array(z.string(eventList), eventList).optional(),
  concurrency: parameter.integer.optional(),
  ordered: parameter.flag.optional(),
};

const endpointAnswer = z
  .strictObject({
    id: field.text,
    format: z.enum(webhookFormats),
    url: field.text,
    chat_id: field.text.nullable(),
    description: field.text,
    events: z.array(z.enum(eventKinds)),
    status: z.enum(["pending", "active", "paused", "disabled"]),
    disabled_reason: z.enum(["gone", "failing"]).nullable(),
    pending_since: field.time.nullable(),
    challenge_error: field.text.nullable(),
    concurrency: field.count,
    ordered: field.flag,
    failing_since: field.time.nullable(),
    previous_secret_until: field.time.nullable(),
    created_at: field.time,
    updated_at: field.time,
  })
  .meta({ title: "WebhookEndpoint" });
const withSecret = endpointAnswer.extend({ secret: field.text });

function present(endpoint: WebhookEndpointView): z.input<typeof endpointAnswer> {
  const { previousSecretUntil } = endpoint;
  return {
    id: formatWebhookEndpointId(endpoint.id),
    format: endpoint.format,
    url: endpoint.url,
    chat_id: endpoint.chatId,
    description: endpoint.description,
    events: endpoint.kinds,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    pending_since: endpoint.pendingSince && toTimestamp(endpoint.pendingSince),
    challenge_error: endpoint.challengeError,
    concurrency: endpoint.concurrency,
    ordered: endpoint.ordered,
    failing_since: endpoint.firstFailedAt && toTimestamp(endpoint.firstFailedAt),
    previous_secret_until: previousSecretUntil && toTimestamp(previousSecretUntil),
    created_at: toTimestamp(endpoint.createdAt),
    updated_at: toTimestamp(endpoint.updatedAt),
  };
}

export const webhookEndpointList = defineEndpoint({
  name: "webhook_endpoints",
  method: "GET",
  scope: "webhooks:read",
  parameters: z.object({}),
  responses: { 200: z.strictObject({ webhook_endpoints: z.array(endpointAnswer) }) },
  async handle(ctx) {
    return ok({ webhook_endpoints: (await listWebhookEndpoints(ctx)).map(present) });
  },
});

export const webhookEndpointCreate = defineEndpoint({
  name: "webhook_endpoints.create",
  method: "POST",
  scope: "webhooks:write",
  parameters: z.object(optionalFields),
  emptiable: ["description"],
  responses: { 201: withSecret },
  async handle(ctx, fields) {
    const { endpoint, secret } = await createWebhookEndpoint(ctx, fields);
    return { status: 201, body: { ...present(endpoint), secret }, confidential: true };
  },
});

export const webhookEndpointGet = defineEndpoint({
  name: "webhook_endpoints.get",
  method: "GET",
  scope: "webhooks:read",
  parameters: z.object({ id }),
  responses: { 200: endpointAnswer },
  async handle(ctx, { id }) {
    return ok(present(await getWebhookEndpoint(ctx, { endpointId: id })));
  },
});

/** `status`: `paused`, or `active` to resume, also after it was disabled. */
export const webhookEndpointUpdate = defineEndpoint({
  name: "webhook_endpoints.update",
  method: "PATCH",
  scope: "webhooks:write",
  parameters: z.object({
    id,
    ...optionalFields,
    status: z.enum(["active", "paused"], { error: "must be active or paused" }).optional(),
  }),
  emptiable: ["description"],
  responses: { 200: endpointAnswer },
  async handle(ctx, { id, status, ...change }) {
    let endpoint = await updateWebhookEndpoint(ctx, { endpointId: id, ...change });
    if (status !== undefined && status !== endpoint.status) {
      endpoint = await setWebhookEndpointPaused(ctx, { endpointId: id, paused: status === "paused" });
    }
    return ok(present(endpoint));
  },
});

export const webhookEndpointDelete = defineEndpoint({
  name: "webhook_endpoints.delete",
  method: "DELETE",
  scope: "webhooks:write",
  parameters: z.object({ id }),
  responses: { 200: z.strictObject({ id: field.text, deleted: z.literal(true) }) },
  async handle(ctx, { id }) {
    await deleteWebhookEndpoint(ctx, { endpointId: id });
    return ok({ id: formatWebhookEndpointId(id), deleted: true });
  },
});

export const webhookEndpointRotateSecret = defineEndpoint({
  name: "webhook_endpoints.rotate_secret",
  method: "POST",
  scope: "webhooks:write",
  parameters: z.object({ id }),
  responses: { 200: withSecret },
  async handle(ctx, { id }) {
    const { endpoint, secret } = await rotateWebhookSecret(ctx, { endpointId: id });
    return { status: 200, body: { ...present(endpoint), secret }, confidential: true };
  },
});

export const webhookEndpointVerify = defineEndpoint({
  name: "webhook_endpoints.verify",
  method: "POST",
  scope: "webhooks:write",
  parameters: z.object({ id, code: anyText.optional() }),
  responses: { 202: endpointAnswer },
  async handle(ctx, { id, code }) {
    return { status: 202, body: present(await verifyWebhookEndpoint(ctx, { endpointId: id, code })) };
  },
});

export const webhookEndpointTest = defineEndpoint({
  name: "webhook_endpoints.test",
  method: "POST",
  scope: "webhooks:write",
  parameters: z.object({ id, event: anyText.optional() }),
  responses: { 202: z.strictObject({ event_id: field.text, event: z.enum(webhookKinds) }) },
  async handle(ctx, { id, event }) {
    const { eventId, kind } = await sendTestEvent(ctx, { endpointId: id, kind: event });
    return { status: 202, body: { event_id: formatEventId(eventId), event: kind } };
  },
});
