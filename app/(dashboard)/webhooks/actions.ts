"use server";
import type { z } from "zod";
import type { ActionResult } from "#components/form/action-result.ts";
import type {
  Done,
  EndpointCreated,
  EndpointEdit,
  EndpointInput,
  EndpointRef,
  NotDelivered,
  NotDeliveredInput,
  ResendInput,
  SecretRotated,
  Sent,
  TestEventInput,
} from "#components/webhook/webhook.ts";
import { runAction } from "#lib/dashboard/action.ts";
import { shownAnew } from "#lib/dashboard/shown-anew.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { deleteWebhookEndpoint } from "#lib/services/webhook/delete.ts";
import {
  countWebhooksNotDelivered,
  type NotDeliveredInput as NotDeliveredQuery,
  resendDelivery,
  resendNotDelivered,
} from "#lib/services/webhook/resend.ts";
import { rotateWebhookSecret } from "#lib/services/webhook/rotate-secret.ts";
import { sendTestEvent } from "#lib/services/webhook/send-test-event.ts";
import { setWebhookEndpointPaused } from "#lib/services/webhook/set-paused.ts";
import { updateWebhookEndpoint } from "#lib/services/webhook/update.ts";
import { verifyWebhookEndpoint } from "#lib/services/webhook/verify.ts";
import { deliverySchema, endpointSchema, fieldsSchema, missedSchema, testSchema } from "./action-schemas.ts";
import { endpointHref, eventHref } from "./present.ts";

const done: Done = { done: true };

/** The kept answer to the key is without the secret: sent again, it tells that the endpoint exists, and no more. */
export async function create(input: EndpointInput, idempotencyKey: string): Promise<ActionResult<EndpointCreated>> {
  let secret: string | null = null;
  const result = await runAction({
    name: "webhooks.create",
    schema: fieldsSchema,
    input,
    idempotencyKey,
    run: async (ctx, fields) => {
      const created = await createWebhookEndpoint(ctx, toFields(fields));
      secret = created.secret;
      return { href: endpointHref(created.endpoint.id) };
    },
  });
  return shownAnew(result.ok ? { ok: true, value: { ...result.value, secret } } : result, "/webhooks");
}

export async function update(input: EndpointEdit, idempotencyKey: string): Promise<ActionResult<Done>> {
  return shownAnew(
    await runAction({
      name: "webhooks.update",
      schema: endpointSchema.and(fieldsSchema),
      input,
      idempotencyKey,
      run: async (ctx, { endpoint_id, ...fields }) => {
        await updateWebhookEndpoint(ctx, { endpointId: endpoint_id, ...toFields(fields) });
        return done;
      },
    }),
    "/webhooks",
  );
}

export async function pause(input: EndpointRef, idempotencyKey: string): Promise<ActionResult<Done>> {
  return setPaused("webhooks.pause", input, idempotencyKey, true);
}

export async function resume(input: EndpointRef, idempotencyKey: string): Promise<ActionResult<Done>> {
  return setPaused("webhooks.resume", input, idempotencyKey, false);
}

async function setPaused(
  name: string,
  input: EndpointRef,
  idempotencyKey: string,
  paused: boolean,
): Promise<ActionResult<Done>> {
  return shownAnew(
    await runAction({
      name,
      schema: endpointSchema,
      input,
      idempotencyKey,
      run: async (ctx, { endpoint_id }) => {
        await setWebhookEndpointPaused(ctx, { endpointId: endpoint_id, paused });
        return done;
      },
    }),
    "/webhooks",
  );
}

export async function verify(input: EndpointRef, idempotencyKey: string): Promise<ActionResult<Done>> {
  return shownAnew(
    await runAction({
      name: "webhooks.verify",
      schema: endpointSchema,
      input,
      idempotencyKey,
      run: async (ctx, { endpoint_id }) => {
        await verifyWebhookEndpoint(ctx, { endpointId: endpoint_id });
        return done;
      },
    }),
    "/webhooks",
  );
}

export async function remove(input: EndpointRef, idempotencyKey: string): Promise<ActionResult<Done>> {
  // Nothing is shown anew: the page that asked is of what is no more, and is left.
  return runAction({
    name: "webhooks.remove",
    schema: endpointSchema,
    input,
    idempotencyKey,
    run: async (ctx, { endpoint_id }) => {
      await deleteWebhookEndpoint(ctx, { endpointId: endpoint_id });
      return done;
    },
  });
}

/** As with `create`: only the first answer has the secret. */
export async function rotate(input: EndpointRef, idempotencyKey: string): Promise<ActionResult<SecretRotated>> {
  let secret: string | null = null;
  const result = await runAction({
    name: "webhooks.rotate",
    schema: endpointSchema,
    input,
    idempotencyKey,
    run: async (ctx, { endpoint_id }) => {
      const rotated = await rotateWebhookSecret(ctx, { endpointId: endpoint_id });
      secret = rotated.secret;
      return { previousUntil: rotated.previousSecretUntil.toISOString() };
    },
  });
  return shownAnew(result.ok ? { ok: true, value: { ...result.value, secret } } : result, "/webhooks");
}

export async function sendTest(input: TestEventInput, idempotencyKey: string): Promise<ActionResult<Sent>> {
  return runAction({
    name: "webhooks.sendTest",
    schema: testSchema,
    input,
    idempotencyKey,
    run: async (ctx, { endpoint_id, event }) => {
      const { eventId } = await sendTestEvent(ctx, { endpointId: endpoint_id, kind: event });
      return { href: eventHref({ eventId, endpointId: endpoint_id }) };
    },
  });
}

export async function resend(input: ResendInput, idempotencyKey: string): Promise<ActionResult<Done>> {
  return shownAnew(
    await runAction({
      name: "webhooks.resend",
      schema: deliverySchema,
      input,
      idempotencyKey,
      run: async (ctx, { delivery_id }) => {
        await resendDelivery(ctx, { deliveryId: delivery_id });
        return done;
      },
    }),
    "/webhooks",
  );
}

/** Changes nothing, so it needs no key. */
export async function countMissed(input: NotDeliveredInput): Promise<ActionResult<NotDelivered>> {
  return runAction({
    name: "webhooks.countMissed",
    schema: missedSchema,
    input,
    run: async (ctx, query) => ({ count: await countWebhooksNotDelivered(ctx, toQuery(query)) }),
  });
}

export async function resendMissed(
  input: NotDeliveredInput,
  idempotencyKey: string,
): Promise<ActionResult<NotDelivered>> {
  return shownAnew(
    await runAction({
      name: "webhooks.resendMissed",
      schema: missedSchema,
      input,
      idempotencyKey,
      run: async (ctx, query) => ({ count: (await resendNotDelivered(ctx, toQuery(query))).resent }),
    }),
    "/webhooks",
  );
}

function toFields(value: z.output<typeof fieldsSchema>) {
  const { every_event, ...fields } = value;
  return { ...fields, events: every_event ? [] : fields.events };
}

function toQuery({ endpoint_id, since }: z.output<typeof missedSchema>): NotDeliveredQuery {
  return { endpointId: endpoint_id, since: new Date(since) };
}
