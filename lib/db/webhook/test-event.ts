import { defineRun } from "#lib/db/connection/define.ts";
import type { EventKind } from "#lib/domain/events.ts";
import type { EventId, ResellerId } from "#lib/domain/ids.ts";

/** Writes an event for one endpoint only. */
export const insertTestEvent = defineRun("insert_test_event").values(
  (event: {
    readonly id: EventId;
    readonly resellerId: ResellerId;
    readonly endpointId: number;
    readonly kind: EventKind;
    readonly data: Readonly<Record<string, unknown>>;
    readonly occurredAt: Date;
  }) => {
    const { id, resellerId, kind, data, endpointId, occurredAt } = event;
    return [id, resellerId, kind, JSON.stringify(data), endpointId, occurredAt];
  },
)`
      insert into events (id, reseller_id, kind, data, test_endpoint_id, occurred_at) values ($1, $2, $3, $4, $5, $6)`;
