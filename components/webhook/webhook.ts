import type { EventKind, WebhookKind } from "#lib/domain/events.ts";

/** `failing`: active, but its last attempt failed. `pending`: it has not met its challenge yet. */
export type EndpointState = "active" | "failing" | "pending" | "paused" | "disabled";

/** `retrying`: at least one attempt has failed, and another is planned. */
export type DeliveryOutcome = "waiting" | "retrying" | "succeeded" | "failed" | "discarded";

/** Of the attempts in a stretch of time. */
export interface DeliveryRate {
  readonly succeeded: number;
  readonly failed: number;
}

/** One line of the list of endpoints. Times: ISO 8601, UTC. */
export interface EndpointListRow {
  /** `whe_12`. */
  readonly id: string;
  readonly href: string;
  readonly url: string;
  readonly description: string;
  /** Empty: all. */
  readonly kinds: readonly EventKind[];
  readonly state: EndpointState;
  readonly rate: DeliveryRate;
  readonly lastAttempt: { readonly at: string; readonly succeeded: boolean } | null;
}

/** One endpoint as its page shows it. Times: ISO 8601, UTC. */
export interface EndpointDetails {
  readonly endpointId: number;
  /** `whe_12`. */
  readonly id: string;
  readonly href: string;
  readonly url: string;
  readonly description: string;
  /** Empty: all. */
  readonly kinds: readonly EventKind[];
  readonly state: EndpointState;
  readonly concurrency: number;
  readonly ordered: boolean;
  /** Why the last challenge was not met; null while its answer is awaited. */
  readonly challengeError: string | null;
  readonly pausedAt: string | null;
  readonly disabledAt: string | null;
  readonly disabledReason: "gone" | "failing" | null;
  /** Since when every attempt has failed. */
  readonly failingSince: string | null;
  /** Until when the secret before the last rotation signs too; null when it does not any more. */
  readonly previousSecretUntil: string | null;
  readonly createdAt: string;
}

/** What a form about an endpoint has and sends. */
export interface EndpointInput {
  readonly url: string;
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
  /** Shown this once. Null: the first answer was lost, and the secret with it. */
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

/** One delivery, as a line of the log. Times: ISO 8601, UTC. */
export interface LogRow {
  /** Rises with time. */
  readonly id: number;
  readonly href: string;
  readonly kind: WebhookKind;
  readonly test: boolean;
  /** `lic_12`; null where the event is of no license. */
  readonly license: string | null;
  readonly endpoint: { readonly id: string; readonly url: string; readonly description: string };
  readonly outcome: DeliveryOutcome;
  readonly attempts: number;
  readonly at: string;
  /** The last attempt's answer; null while there is none. */
  readonly status: number | null;
  readonly nextAttemptAt: string | null;
}

/** One page of the log. The links are null at its ends. */
export interface LogPage {
  readonly rows: readonly LogRow[];
  readonly firstHref: string | null;
  readonly nextHref: string | null;
}

/** One attempt at a delivery. Times: ISO 8601, UTC. */
export interface AttemptDetails {
  readonly number: number;
  readonly startedAt: string;
  /** Null: under way, or its process died. */
  readonly succeeded: boolean | null;
  readonly durationMs: number | null;
  readonly status: number | null;
  readonly error: string | null;
  /** Asked for by somebody, not by the schedule. */
  readonly manual: boolean;
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly responseStart: string | null;
}

/** One delivery with all that is known of it. Times: ISO 8601, UTC. */
export interface DeliveryDetails {
  /** Decimal text. */
  readonly deliveryId: string;
  readonly outcome: DeliveryOutcome;
  readonly nextAttemptAt: string | null;
  /** An attempt is being made now. */
  readonly underWay: boolean;
  readonly endpoint: {
    readonly id: string;
    readonly href: string;
    readonly url: string;
    readonly state: EndpointState;
  };
  readonly attempts: readonly AttemptDetails[];
}

/** The event that deliveries tell. Times: ISO 8601, UTC. */
export interface EventDetails {
  /** `evt_…`: what its webhooks carry as `webhook-id`. */
  readonly id: string;
  readonly kind: WebhookKind;
  readonly test: boolean;
  readonly at: string;
  readonly license: { readonly id: string; readonly href: string } | null;
  /** The very text that is sent and signed. */
  readonly body: string;
}
