"use server";
import { z } from "zod";
import { endpointHref, eventHref } from "#components/webhook/describe-endpoint.ts";
import type { EndpointCreated, SecretRotated } from "#components/webhook/webhook.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { parameter } from "#lib/http/parameters.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { deleteWebhookEndpoint } from "#lib/services/webhook/delete.ts";
import { countWebhooksNotDelivered, resendDelivery, resendNotDelivered } from "#lib/services/webhook/resend.ts";
import { rotateWebhookSecret } from "#lib/services/webhook/rotate-secret.ts";
import { sendTestEvent } from "#lib/services/webhook/send-test-event.ts";
import { setWebhookEndpointPaused } from "#lib/services/webhook/set-paused.ts";
import { updateWebhookEndpoint } from "#lib/services/webhook/update.ts";
import { verifyWebhookEndpoint } from "#lib/services/webhook/verify.ts";

const MAX_KINDS_NAMED = 100;

const revalidate = ["/webhooks"];
const endpointRef = z.object({ endpoint_id: parameter.integer });

/** What each field may hold is the service's to say; here, only that it is there. */
const fields = z
  .object({
    url: z.string().trim().min(1, "Enter the address that events are to be sent to."),
    description: z.string().trim(),
    every_event: z.boolean(),
    events: z.array(z.string()).max(MAX_KINDS_NAMED).readonly(),
    ordered: z.boolean(),
    concurrency: z.number(),
  })
  .refine(({ every_event, events }) => every_event || events.length > 0, {
    path: ["events"],
    message: "Choose at least one kind of event.",
  })
  .transform(({ every_event, ...fields }) => ({ ...fields, events: every_event ? [] : fields.events }));

export const create = defineAction({
  name: "webhooks.create",
  input: fields,
  revalidate,
  unstored: { secret: null },
  asksProof: true,
  run: async (ctx, fields): Promise<EndpointCreated> => {
    const { endpoint, secret } = await createWebhookEndpoint(ctx, fields);
    return { href: endpointHref(endpoint.id), secret };
  },
});

export const update = defineAction({
  name: "webhooks.update",
  input: endpointRef.and(fields),
  revalidate,
  run: async (ctx, { endpoint_id, ...fields }) => {
    await updateWebhookEndpoint(ctx, { ...fields, endpointId: endpoint_id });
  },
});

export const pause = defineAction({
  name: "webhooks.pause",
  input: endpointRef,
  revalidate,
  run: async (ctx, { endpoint_id }) => {
    await setWebhookEndpointPaused(ctx, { endpointId: endpoint_id, paused: true });
  },
});

export const resume = defineAction({
  name: "webhooks.resume",
  input: endpointRef,
  revalidate,
  run: async (ctx, { endpoint_id }) => {
    await setWebhookEndpointPaused(ctx, { endpointId: endpoint_id, paused: false });
  },
});

export const verify = defineAction({
  name: "webhooks.verify",
  input: endpointRef,
  revalidate,
  run: async (ctx, { endpoint_id }) => {
    await verifyWebhookEndpoint(ctx, { endpointId: endpoint_id });
  },
});

/** Revalidates nothing: the page that asked no longer exists, and is left. */
export const remove = defineAction({
  name: "webhooks.remove",
  input: endpointRef,
  run: async (ctx, { endpoint_id }) => {
    await deleteWebhookEndpoint(ctx, { endpointId: endpoint_id });
  },
});

export const rotate = defineAction({
  name: "webhooks.rotate",
  input: endpointRef,
  revalidate,
  unstored: { secret: null },
  asksProof: true,
  run: async (ctx, { endpoint_id }): Promise<SecretRotated> => {
    const { secret, previousSecretUntil } = await rotateWebhookSecret(ctx, { endpointId: endpoint_id });
    return { secret, previousUntil: previousSecretUntil.toISOString() };
  },
});

export const sendTest = defineAction({
  name: "webhooks.sendTest",
  input: endpointRef.extend({ event: z.string() }),
  run: async (ctx, { endpoint_id, event }) => {
    const { eventId } = await sendTestEvent(ctx, { endpointId: endpoint_id, kind: event });
    return { href: eventHref({ eventId, endpointId: endpoint_id }) };
  },
});

export const resend = defineAction({
  name: "webhooks.resend",
  input: z.object({ delivery_id: z.string().regex(/^[1-9]\d{0,17}$/) }),
  revalidate,
  run: async (ctx, { delivery_id }) => {
    await resendDelivery(ctx, { deliveryId: delivery_id });
  },
});

const missed = endpointRef.extend({ since: z.iso.datetime() }).transform(({ endpoint_id, since }) => ({
  endpointId: endpoint_id,
  since: new Date(since),
}));

export const countMissed = defineAction({
  name: "webhooks.countMissed",
  input: missed,
  run: async (ctx, query) => ({ count: await countWebhooksNotDelivered(ctx, query) }),
});

export const resendMissed = defineAction({
  name: "webhooks.resendMissed",
  input: missed,
  revalidate,
  run: async (ctx, query) => ({ count: (await resendNotDelivered(ctx, query)).resent }),
});
