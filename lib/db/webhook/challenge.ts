import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, int, nullable, text } from "#lib/db/connection/columns.ts";
import { findRow, getRow, statement } from "#lib/db/connection/statement.ts";
import type { EventId, ResellerId, WebhookEndpointId } from "#lib/domain/ids.ts";

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
  by: ChangedBy<string | null>,
): Promise<number | null> {
  return (await getRow(db, challengeWebhookEndpointStatement, [endpointId, limit, ...changeValues(by)])).wait;
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
  const { endpointId, eventId, error } = challenge;
  await db.query(concludeWebhookChallengeStatement, [endpointId, eventId, error, ...changeValues(by)]);
}

const spendCodeTry = statement("spend_code_try", { eventId: as<EventId>(text), tries: int })`
      update webhook_endpoints e set code_tries = e.code_tries + 1
        from events v
       where e.reseller_id = $1 and e.id = $2 and v.id = e.challenge_event_id and e.pending_since is not null
         and e.paused_at is null and e.disabled_at is null and e.code_tries < $3 and v.occurred_at > $4
      returning e.challenge_event_id as "eventId", e.code_tries as tries`;

/** Counts a typed code before it is compared. Null: the challenge has had \`limit\`, is older than \`since\`, or is none. */
export async function spendChallengeTry(
  db: Database,
  resellerId: ResellerId,
  endpointId: WebhookEndpointId,
  bounds: { readonly limit: number; readonly since: Date },
): Promise<{ readonly eventId: EventId; readonly tries: number } | null> {
  return findRow(db, spendCodeTry, [resellerId, endpointId, bounds.limit, bounds.since]);
}
