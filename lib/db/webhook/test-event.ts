import type { Database } from "#lib/db/connection/client.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { EventKind } from "#lib/domain/events.ts";
import type { EventId, ResellerId } from "#lib/domain/ids.ts";

const insertTestEventStatement = statement("insert_test_event")`
      insert into events (id, reseller_id, kind, data, test_endpoint_id, occurred_at) values ($1, $2, $3, $4, $5, $6)`;

/** Writes an event for one endpoint only. */
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
  const { id, resellerId, kind, data, endpointId, occurredAt } = event;
  await db.query(insertTestEventStatement, [id, resellerId, kind, JSON.stringify(data), endpointId, occurredAt]);
}
