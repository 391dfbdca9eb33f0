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
