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

const OK = 200;
const CREATED = 201;
const ACCEPTED = 202;

const id = parameter.inPath(parseWebhookEndpointId);
const optionalFields = {
  description: z.string().nullish(),
  /** Kinds; empty: all. */
  events: z.array(z.string()).nullish(),
  concurrency: parameter.integer.optional(),
  ordered: z.boolean().optional(),
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
    concurrency: endpoint.concurrency,
    ordered: endpoint.ordered,
    failing_since: endpoint.firstFailedAt && toTimestamp(endpoint.firstFailedAt),
    previous_secret_until: previousSecretUntil && toTimestamp(previousSecretUntil),
    created_at: toTimestamp(endpoint.createdAt),
    updated_at: toTimestamp(endpoint.updatedAt),
  };
}

/** An absent field is not given; `null` gives its empty value, since empty text counts as absent (decisions 1.7). */
function given<Value>(value: Value | null | undefined, empty: Value): Value | undefined {
  return value === null ? empty : value;
}

export const webhookEndpointList = defineEndpoint({
  name: "webhook_endpoints",
  method: "GET",
  scope: "webhooks:read",
  parameters: z.object({}),
  async answer(ctx) {
    return { status: OK, body: { webhook_endpoints: (await listWebhookEndpoints(ctx)).map(present) } };
  },
});

export const webhookEndpointCreate = defineEndpoint({
  name: "webhook_endpoints.create",
  method: "POST",
  scope: "webhooks:write",
  parameters: z.object({ url: z.string(), ...optionalFields }),
  async answer(ctx, { url, description, events, concurrency, ordered }) {
    const { endpoint, secret } = await createWebhookEndpoint(ctx, {
      url,
      description: description ?? undefined,
      events: events ?? undefined,
      concurrency,
      ordered,
    });
    return { status: CREATED, body: { ...present(endpoint), secret }, confidential: true };
  },
});

export const webhookEndpointGet = defineEndpoint({
  name: "webhook_endpoints.get",
  method: "GET",
  scope: "webhooks:read",
  parameters: z.object({ id }),
  async answer(ctx, { id }) {
    return { status: OK, body: present(await getWebhookEndpoint(ctx, { endpointId: id })) };
  },
});

/** `status`: `paused`, or `active` to set it going again, also after it was disabled. */
export const webhookEndpointUpdate = defineEndpoint({
  name: "webhook_endpoints.update",
  method: "PATCH",
  scope: "webhooks:write",
  parameters: z.object({
    id,
    url: z.string().optional(),
    ...optionalFields,
    status: z.enum(["active", "paused"], { error: "must be active or paused" }).optional(),
  }),
  async answer(ctx, { id, description, events, status, ...rest }) {
    const change = { ...rest, description: given(description, ""), events: given(events, []) };
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
  async answer(ctx, { id }) {
    await deleteWebhookEndpoint(ctx, { endpointId: id });
    return { status: OK, body: { id: formatWebhookEndpointId(id), deleted: true } };
  },
});

export const webhookEndpointRotateSecret = defineEndpoint({
  name: "webhook_endpoints.rotate_secret",
  method: "POST",
  scope: "webhooks:write",
  parameters: z.object({ id }),
  async answer(ctx, { id }) {
    const { endpoint, secret } = await rotateWebhookSecret(ctx, { endpointId: id });
    return { status: OK, body: { ...present(endpoint), secret }, confidential: true };
  },
});

export const webhookEndpointTest = defineEndpoint({
  name: "webhook_endpoints.test",
  method: "POST",
  scope: "webhooks:write",
  parameters: z.object({ id, event: z.string().optional() }),
  async answer(ctx, { id, event }) {
    const { eventId, kind } = await sendTestEvent(ctx, { endpointId: id, kind: event });
    return { status: ACCEPTED, body: { event_id: formatEventId(eventId), event: kind } };
  },
});
