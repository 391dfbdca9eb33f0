import type { Database } from "#lib/db/connection/client.ts";
import type { EventKind } from "#lib/domain/events.ts";
import type { EventId, ResellerId } from "#lib/domain/ids.ts";

/** Writes an event that is told to one endpoint alone. */
export async function insertTestEvent(
  db: Database,
  event: {
    readonly id: EventId;
    readonly resellerId: ResellerId;
    readonly endpointId: number;
    readonly kind: EventKind;
    readonly data: Readonly<Record<string, unknown>>;
    readonly occurredAt: Date;
  },
): Promise<void> {
  await db.query({
    name: "insert_test_event",
    text: `insert into events (id, reseller_id, kind, data, test_endpoint_id, occurred_at) values ($1, $2, $3, $4, $5, $6)`,
    values: [event.id, event.resellerId, event.kind, JSON.stringify(event.data), event.endpointId, event.occurredAt],
  });
}
