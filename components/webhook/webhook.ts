import type { WebhookFormat } from "#lib/domain/webhook-format.ts";
import type { WebhookEndpointView } from "#lib/services/webhook/endpoint.ts";

/** `failing`: active, but its last attempt failed. `pending`: its challenge is awaited; `unverified`: it did not meet it. */
export type EndpointState = "active" | "failing" | "pending" | "unverified" | "paused" | "disabled";

/** `pending`: an attempt is planned, also after others have failed. */
export type DeliveryOutcome = "pending" | "succeeded" | "failed" | "discarded";

/** Of the attempts in a stretch of time. */
export interface DeliveryRate {
  readonly succeeded: number;
  readonly failed: number;
}

/** One endpoint as its page shows it. */
export interface EndpointDetails extends Omit<WebhookEndpointView, "id"> {
  readonly endpointId: number;
  /** `whe_12`. */
  readonly id: string;
  readonly href: string;
  readonly state: EndpointState;
}

/** What a form about an endpoint has and sends. */
export interface EndpointInput {
  readonly format: WebhookFormat;
  /** Of a chat: empty to keep it; the next one, too. */
  readonly url?: string;
  readonly bot_token?: string;
  readonly chat_id?: string;
  readonly description: string;
  /** All kinds, also those that there will be; `events` then counts for nothing. */
  readonly every_event: boolean;
  readonly events: readonly string[];
  /** One at a time, in the order of the events. */
  readonly ordered: boolean;
  /** Requests under way at a time. */
  readonly concurrency: number;
}

export interface EndpointCreated {
  readonly href: string;
  readonly format: WebhookFormat;
  /** Shown this once; empty for a chat. Null: the first answer was lost, and the secret with it. */
  readonly secret: string | null;
}

export interface SecretRotated {
  /** As above. */
  readonly secret: string | null;
  /** Until then the secret before it signs too. ISO 8601, UTC. */
  readonly previousUntil: string;
}

export interface EndpointRef {
  readonly endpoint_id: number;
}

export interface PausedInput extends EndpointRef {
  readonly paused: boolean;
}

export interface VerifyInput extends EndpointRef {
  /** That a chat received; without it, a challenge is sent. */
  readonly code?: string;
}

export interface EndpointEdit extends EndpointInput, EndpointRef {}

export interface TestEventInput extends EndpointRef {
  readonly event: string;
}

/** Where what was sent can be watched. */
export interface Sent {
  readonly href: string;
}

/** `since`: ISO 8601, UTC. */
export interface NotDeliveredInput extends EndpointRef {
  readonly since: string;
}

export interface NotDelivered {
  readonly count: number;
}

export interface ResendInput {
  /** Decimal text. */
  readonly delivery_id: string;
}
