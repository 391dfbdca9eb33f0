import { text } from "#lib/db/connection/columns.ts";
import { defineFindValue } from "#lib/db/connection/define.ts";

/** The request that started the event's operation; null: no operation wrote it. */
export const findEventRequestId = defineFindValue("find_event_request_id", { requestId: text })<[eventId: string]>`
      select o.request_id as "requestId" from events e join operations o on o.id = e.operation_id where e.id = $1`;
