/** Endpoints, events and deliveries of a test's resellers, with receivers on 127.0.0.1. */
import { randomUUID } from "node:crypto";
import { createHttpWebhookSender } from "#lib/adapters/webhook-sender-http.ts";
import { type Cidr, parseCidr } from "#lib/domain/cidr.ts";
import type { EventKind } from "#lib/domain/events.ts";
import type { EventId, ResellerId, WebhookEndpointId } from "#lib/domain/ids.ts";
import { parseSealingKey } from "#lib/domain/sealed-secret.ts";
import type { WebhookSender } from "#lib/ports/webhook-sender.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { attemptDelivery, claimDueDeliveries } from "#lib/services/webhook/deliver.ts";
import type { EndpointFields } from "#lib/services/webhook/validate.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "./actors.ts";
import type { ContextChange, World } from "./world.ts";

export const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString("base64");
export const LOOPBACK = { allowHttp: true, allowedCidrs: [parseCidr("127.0.0.0/8") as Cidr] };
/** Timeout for receivers. */
export const TIMEOUT_MS = 1_000;

export interface DeliveryFacts {
  readonly id: string;
  readonly endpoint_id: number;
  readonly state: string;
  readonly attempt_count: number;
  readonly failure_count: number;
  readonly next_attempt_at: Date;
  readonly owner_id: string | null;
}

export interface Webhooks {
  readonly sender: WebhookSender;
  context(resellerId: ResellerId, change?: ContextChange): ServiceContext;
  worker(change?: ContextChange): ServiceContext;
  endpoint(
    resellerId: ResellerId,
    input: EndpointFields,
    /** `pending`: its challenge is queued; otherwise it is active. */
    options?: { readonly pending?: boolean },
  ): Promise<{ readonly id: WebhookEndpointId; readonly secret: string }>;
  emit(resellerId: ResellerId, kind?: EventKind, data?: object): Promise<EventId>;
  /** Attempts everything due, round by round. Returns the number of attempts. */
  deliver(): Promise<number>;
  deliveries(): Promise<DeliveryFacts[]>;
}

export function newWebhooks(world: World, change: Partial<ServiceContext["settings"]> = {}): Webhooks {
  const sender = createHttpWebhookSender({ rules: LOOPBACK, timeoutMs: TIMEOUT_MS });
  const settings = {
    ...world.operator.settings,
    sealingKey: parseSealingKey(ENCRYPTION_KEY),
    webhookTargets: LOOPBACK,
    ...change,
  };
  async function challengeOf(id: WebhookEndpointId): Promise<unknown> {
    const text = "select challenge_event_id from webhook_endpoints where id = $1";
    return (await world.db.query(sql(text), [id]))[0]?.challenge_event_id;
  }
  const webhooks: Webhooks = {
    sender,
    context: (resellerId, change) => world.context(actors.apiKey(resellerId), { settings, ...change }),
    worker: (change) => world.context({ kind: "system", name: "worker" }, { settings, ...change }),
    async endpoint(resellerId, input, options = {}) {
      const { endpoint, secret } = await createWebhookEndpoint(webhooks.context(resellerId), input);
      if (options.pending) return { id: endpoint.id, secret };
      // As after an earlier challenge.
      await world.db.query(
        sql("update webhook_endpoints set target = '127.0.0.1', pending_since = null where id = $1"),
        [endpoint.id],
      );
      await world.db.query(sql("delete from events where id = $1"), [await challengeOf(endpoint.id)]);
      return { id: endpoint.id, secret };
    },
    async emit(resellerId, kind = "license.renewed", data = {}) {
      const id = randomUUID() as EventId;
      await world.db.query(
        sql("insert into events (id, reseller_id, kind, data, occurred_at) values ($1, $2, $3, $4, $5)"),
        [id, resellerId, kind, JSON.stringify(data), world.now()],
      );
      return id;
    },
    async deliver() {
      const ctx = webhooks.worker();
      for (let attempts = 0; ; ) {
        const claimed = await claimDueDeliveries(ctx, { slots: 100, failingSlots: 100 });
        if (claimed.length === 0) return attempts;
        await Promise.all(claimed.map((delivery) => attemptDelivery(ctx, { delivery, sender })));
        attempts += claimed.length;
      }
    },
    deliveries: () =>
      world.db.query(
        sql<DeliveryFacts & Record<string, unknown>>(
          "select *, id::text as id from webhook_deliveries order by webhook_deliveries.id",
        ),
        [],
      ),
  };
  return webhooks;
}
