"use server";
import { z } from "zod";
import { id, seenVersion } from "#app/(dashboard)/fields.ts";
import { suggestLicenses } from "#app/(dashboard)/licenses/suggest.ts";
import { endpointHref, eventHref } from "#components/webhook/describe-endpoint.ts";
import type { EndpointCreated, SecretRotated } from "#components/webhook/webhook.ts";
import { defineAction } from "#lib/dashboard/define-action.ts";
import { type WebhookFormat, webhookFormats } from "#lib/domain/webhook-format.ts";
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
const endpointRef = z.strictObject({ endpoint_id: parameter.integer });

/** Empty: absent. */
const destinationText = z
  .string()
  .trim()
  .optional()
  .transform((text) => text || undefined);
const destinationProblems = {
  url: "Enter the URL.",
  bot_token: "Enter the bot token.",
  chat_id: "Enter the chat ID.",
} as const;

/**
 * What each field may hold is the service's to say; here, only that it is there.
 * @param required by format; what is stored and not shown may be left out
 */
function endpointFields(required: Readonly<Record<WebhookFormat, readonly (keyof typeof destinationProblems)[]>>) {
  return z
    .strictObject({
      format: z.enum(webhookFormats),
      url: destinationText,
      bot_token: destinationText,
      chat_id: destinationText,
      description: z.string().trim(),
      /** All kinds, also those that there will be; `events` then counts for nothing. */
      every_event: z.boolean(),
      events: z.array(z.string()).max(MAX_KINDS_NAMED).readonly(),
      ordered: z.boolean(),
      concurrency: z.number(),
    })
    .check(({ value, issues }) => {
      for (const field of required[value.format]) {
        if (value[field] !== undefined) continue;
        issues.push({
          code: "custom",
          path: [field],
          message: destinationProblems[field],
          input: value,
          continue: true,
        });
      }
    })
    .refine(({ every_event, events }) => every_event || events.length > 0, {
      path: ["events"],
      message: "Choose at least one kind of event.",
    })
    .transform(({ every_event, ...fields }) => ({ ...fields, events: every_event ? [] : fields.events }));
}

export const create = defineAction({
  name: "webhooks.create",
  input: endpointFields({ standard: ["url"], slack: ["url"], telegram: ["bot_token", "chat_id"] }),
  revalidate,
  unstored: { secret: null },
  asksProof: true,
  run: async (ctx, fields): Promise<EndpointCreated> => {
    const { endpoint, secret } = await createWebhookEndpoint(ctx, fields);
    return { href: endpointHref(endpoint.id), format: endpoint.format, secret };
  },
});

export const update = defineAction({
  name: "webhooks.update",
  bound: z.strictObject({ endpointId: id(), seenVersion }),
  input: endpointFields({ standard: ["url"], slack: [], telegram: ["chat_id"] }),
  revalidate,
  // Every event may go to another destination from now on.
  asksProof: true,
  run: async (ctx, change, { endpointId }) => {
    await updateWebhookEndpoint(ctx, { ...change, endpointId });
  },
});

export const setPaused = defineAction({
  name: "webhooks.setPaused",
  input: endpointRef.extend({ paused: z.boolean() }),
  revalidate,
  run: async (ctx, change) => {
    await setWebhookEndpointPaused(ctx, change);
  },
});

export const verify = defineAction({
  name: "webhooks.verify",
  input: endpointRef.extend({ code: z.string().trim().min(1, "Enter the code that the chat received.").optional() }),
  revalidate,
  run: async (ctx, proof) => {
    await verifyWebhookEndpoint(ctx, proof);
  },
});

/** Revalidates nothing: the page that asked no longer exists, and is left. */
export const remove = defineAction({
  name: "webhooks.remove",
  input: endpointRef,
  run: deleteWebhookEndpoint,
});

export const rotate = defineAction({
  name: "webhooks.rotate",
  input: endpointRef,
  revalidate,
  unstored: { secret: null },
  asksProof: true,
  run: async (ctx, endpoint): Promise<SecretRotated> => {
    const { secret, previousSecretUntil } = await rotateWebhookSecret(ctx, endpoint);
    return { secret, previousUntil: previousSecretUntil.toISOString() };
  },
});

export const sendTest = defineAction({
  name: "webhooks.sendTest",
  input: endpointRef.extend({ event: z.string() }),
  run: async (ctx, { endpointId, event: kind }) => {
    const { eventId } = await sendTestEvent(ctx, { endpointId, kind });
    return { href: eventHref({ eventId, endpointId }) };
  },
});

export const resend = defineAction({
  name: "webhooks.resend",
  input: z.strictObject({ delivery_id: z.string().regex(/^[1-9]\d{0,17}$/) }),
  revalidate,
  run: resendDelivery,
});

/** For the log's filter. */
export const findLicenses = defineAction({
  name: "webhooks.findLicenses",
  input: z.string().trim().max(200),
  run: suggestLicenses,
});

const missed = endpointRef.extend({ since: z.iso.datetime().transform((text) => new Date(text)) });

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
