import type { Database } from "#lib/db/connection/client.ts";
import { text } from "#lib/db/connection/columns.ts";
import { findRow, statement } from "#lib/db/connection/statement.ts";

const findEventRequestIdStatement = statement("find_event_request_id", { requestId: text })`
      select o.request_id as "requestId" from events e join operations o on o.id = e.operation_id where e.id = $1`;

/** The request that started the event's operation; null: no operation wrote it. */
export async function findEventRequestId(db: Database, eventId: string): Promise<string | null> {
  return (await findRow(db, findEventRequestIdStatement, [eventId]))?.requestId ?? null;
}
