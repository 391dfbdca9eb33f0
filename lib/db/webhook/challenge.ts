import type { ChangedBy } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { int, nullable } from "#lib/db/connection/columns.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { EventId, WebhookEndpointId } from "#lib/domain/ids.ts";

const challengeWebhookEndpointStatement = statement("challenge_webhook_endpoint", {
  wait: nullable(int),
})`select challenge_webhook_endpoint($1, $2, $3, $4, $5) as wait`;

/**
 * Queues a challenge for a pending endpoint. Returns the seconds to wait if the reseller has had `limit` within an
 * hour.
 * @param by without an actor, another change causes it and has its own audit entry
 */
export async function challengeWebhookEndpoint(
  db: Database,
  endpointId: WebhookEndpointId,
  limit: number,
  by: Omit<ChangedBy, "actor"> & { readonly actor: string | null },
): Promise<number | null> {
  const [row] = await db.query(challengeWebhookEndpointStatement, [endpointId, limit, by.actor, by.now, by.requestId]);
  return row?.wait ?? null;
}

const concludeWebhookChallengeStatement = statement(
  "conclude_webhook_challenge",
)`select conclude_webhook_challenge($1, $2, $3, $4, $5, $6)`;

/** Makes the endpoint active, or stores why it stays pending (`error`). */
export async function concludeWebhookChallenge(
  db: Database,
  challenge: { readonly endpointId: WebhookEndpointId; readonly eventId: EventId; readonly error: string | null },
  by: ChangedBy,
): Promise<void> {
  await db.query(concludeWebhookChallengeStatement, [
    challenge.endpointId,
    challenge.eventId,
    challenge.error,
    by.actor,
    by.now,
    by.requestId,
  ]);
}
