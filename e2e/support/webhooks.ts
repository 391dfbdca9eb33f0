import type { Page } from "@playwright/test";
import type { EventKind } from "#lib/domain/events.ts";
import type { WebhookEndpointId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { answers, type Receiver, startReceiver } from "#tests/support/receiver.ts";
import { consent } from "./consent.ts";
import { test as base, expect } from "./dashboard.ts";
import { adminContext, type Reseller } from "./world.ts";

export { answers } from "#tests/support/receiver.ts";

/** Broken, and asking for patience: the next attempt is far enough off to be looked at. */
export const broken = answers.status(503, { "retry-after": "600" });

interface Fixtures {
  /** A server that takes webhooks, gone after the test. */
  readonly receiver: Receiver;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its first parameter.
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.close();
  },
});

/** Adds an endpoint without the form, one that has met its challenge long ago. */
export async function newEndpoint(
  reseller: Reseller,
  receiver: Receiver,
  options: { readonly events?: readonly EventKind[]; readonly description?: string } = {},
): Promise<{ readonly id: WebhookEndpointId; readonly href: string; readonly secret: string }> {
  const { endpoint, secret } = await createWebhookEndpoint(adminContext(reseller.resellerId), {
    url: receiver.url,
    ...options,
  });
  await consent(endpoint.id);
  return { id: endpoint.id, href: `/webhooks/whe_${endpoint.id}`, secret };
}

/** Waits until each delivery of an endpoint has been attempted. */
export async function untilAttempted(endpointId: WebhookEndpointId, count: number): Promise<void> {
  await expect
    .poll(() => getRuntime().db.prisma.webhookAttempt.count({ where: { endpointId, succeeded: { not: null } } }), {
      timeout: 15_000,
    })
    .toBeGreaterThanOrEqual(count);
}

export function logRows(page: Page) {
  return page.getByRole("table", { name: "Webhook deliveries" }).getByRole("row");
}

export { expect };
