import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { as, int, nullable, text } from "#lib/db/connection/columns.ts";
import { defineFind, defineGetValue, defineRun } from "#lib/db/connection/define.ts";
import type { EventId, ResellerId, WebhookEndpointId } from "#lib/domain/ids.ts";

/**
 * Queues a challenge for a pending endpoint. Returns the seconds to wait if the reseller has had `limit` within an
 * hour.
 * @param by without an actor, another change causes it and has its own audit entry
 */
export const challengeWebhookEndpoint = defineGetValue("challenge_webhook_endpoint", {
  wait: nullable(int),
}).values((endpointId: WebhookEndpointId, limit: number, by: ChangedBy<string | null>) => [
  endpointId,
  limit,
  ...changeValues(by),
])`select challenge_webhook_endpoint($1, $2, $3, $4, $5) as wait`;

/**
 * Makes the endpoint active and delivers what was queued, or stores why it stays pending (`error`). A replaced challenge,
 * or one sent to an earlier URL, changes nothing.
 */
export const concludeWebhookChallenge = defineRun("conclude_webhook_challenge").values(
  (
    {
      endpointId,
      eventId,
      error,
    }: { readonly endpointId: WebhookEndpointId; readonly eventId: EventId; readonly error: string | null },
    by: ChangedBy,
  ) => [endpointId, eventId, error, ...changeValues(by)],
)`
      with concluded as (
        update webhook_endpoints e set
            challenge_error = $3,
            pending_since = case when $3::text is not null then e.pending_since end,
            first_failed_at = case when $3::text is not null then e.first_failed_at end,
            updated_at = case when $3::text is null then $5 else e.updated_at end
         where e.id = $1 and e.challenge_event_id = $2 and e.pending_since is not null returning *
      )
      select write_audit_entry($4, 'webhook.verify', c.reseller_id, 'webhook_endpoint:' || c.id, '', '{}', $5, $6, c.url),
             wake_webhook_delivery()
        from concluded c where $3::text is null`;

/** Counts a typed code before it is compared. Null: the challenge has had \`limit\`, is older than \`since\`, or is none. */
export const spendChallengeTry = defineFind("spend_code_try", { eventId: as<EventId>(text), tries: int }).values(
  (resellerId: ResellerId, endpointId: WebhookEndpointId, bounds: { readonly limit: number; readonly since: Date }) => {
    return [resellerId, endpointId, bounds.limit, bounds.since];
  },
)`
      update webhook_endpoints e set code_tries = e.code_tries + 1
        from events v
       where e.reseller_id = $1 and e.id = $2 and v.id = e.challenge_event_id and e.pending_since is not null
         and e.paused_at is null and e.disabled_at is null and e.code_tries < $3 and v.occurred_at > $4
      returning e.challenge_event_id as "eventId", e.code_tries as tries`;
