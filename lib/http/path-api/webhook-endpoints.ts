import { z } from "zod";
import { formatEventId, formatWebhookEndpointId, parseWebhookEndpointId } from "#lib/domain/ids.ts";
import { toTimestamp } from "#lib/domain/times.ts";
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

const OK = 200;
const CREATED = 201;
const ACCEPTED = 202;

const id = parameter.inPath(parseWebhookEndpointId);
const eventList = { error: "must be a list of event kinds" };
const anyText = z.string({ error: "must be text" });
const optionalFields = {
  description: anyText.optional(),
  /** Kinds; empty means all. */
  events: z.array(z.string(eventList), eventList).optional(),
  concurrency: parameter.integer.optional(),
  ordered: z.boolean({ error: "must be true or false" }).optional(),
};

function present(endpoint: WebhookEndpointView) {
  const { previousSecretUntil } = endpoint;
  return {
    id: formatWebhookEndpointId(endpoint.id),
    url: endpoint.url,
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
  async handle(ctx) {
    return { status: OK, body: { webhook_endpoints: (await listWebhookEndpoints(ctx)).map(present) } };
  },
});

export const webhookEndpointCreate = defineEndpoint({
  name: "webhook_endpoints.create",
  method: "POST",
  effect: "writes",
  scope: "webhooks:write",
  parameters: z.object({ url: anyText, ...optionalFields }),
  emptiable: ["description"],
  async handle(ctx, fields) {
    const { endpoint, secret } = await createWebhookEndpoint(ctx, fields);
    return { status: CREATED, body: { ...present(endpoint), secret }, confidential: true };
  },
});

export const webhookEndpointGet = defineEndpoint({
  name: "webhook_endpoints.get",
  method: "GET",
  scope: "webhooks:read",
  parameters: z.object({ id }),
  async handle(ctx, { id }) {
    return { status: OK, body: present(await getWebhookEndpoint(ctx, { endpointId: id })) };
  },
});

/** `status`: `paused`, or `active` to resume, also after it was disabled. */
export const webhookEndpointUpdate = defineEndpoint({
  name: "webhook_endpoints.update",
  method: "PATCH",
  scope: "webhooks:write",
  parameters: z.object({
    id,
    url: anyText.optional(),
    ...optionalFields,
    status: z.enum(["active", "paused"], { error: "must be active or paused" }).optional(),
  }),
  emptiable: ["description"],
  async handle(ctx, { id, status, ...change }) {
    let endpoint = await updateWebhookEndpoint(ctx, { endpointId: id, ...change });
    if (status !== undefined && status !== endpoint.status) {
      endpoint = await setWebhookEndpointPaused(ctx, { endpointId: id, paused: status === "paused" });
    }
    return { status: OK, body: present(endpoint) };
  },
});

export const webhookEndpointDelete = defineEndpoint({
  name: "webhook_endpoints.delete",
  method: "DELETE",
  scope: "webhooks:write",
  parameters: z.object({ id }),
  async handle(ctx, { id }) {
    await deleteWebhookEndpoint(ctx, { endpointId: id });
    return { status: OK, body: { id: formatWebhookEndpointId(id), deleted: true } };
  },
});

export const webhookEndpointRotateSecret = defineEndpoint({
  name: "webhook_endpoints.rotate_secret",
  method: "POST",
  effect: "writes",
  scope: "webhooks:write",
  parameters: z.object({ id }),
  async handle(ctx, { id }) {
    const { endpoint, secret } = await rotateWebhookSecret(ctx, { endpointId: id });
    return { status: OK, body: { ...present(endpoint), secret }, confidential: true };
  },
});

export const webhookEndpointVerify = defineEndpoint({
  name: "webhook_endpoints.verify",
  method: "POST",
  effect: "writes",
  scope: "webhooks:write",
  parameters: z.object({ id }),
  async handle(ctx, { id }) {
    return { status: ACCEPTED, body: present(await verifyWebhookEndpoint(ctx, { endpointId: id })) };
  },
});

export const webhookEndpointTest = defineEndpoint({
  name: "webhook_endpoints.test",
  method: "POST",
  effect: "writes",
  scope: "webhooks:write",
  parameters: z.object({ id, event: anyText.optional() }),
  async handle(ctx, { id, event }) {
    const { eventId, kind } = await sendTestEvent(ctx, { endpointId: id, kind: event });
    return { status: ACCEPTED, body: { event_id: formatEventId(eventId), event: kind } };
  },
});
