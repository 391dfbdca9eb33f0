import { anyLength } from "#lib/db/connection/any-length.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, boolean, int, jsonObject, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineFind, defineList } from "#lib/db/connection/define.ts";
import { listing, type PageInput } from "#lib/db/connection/listing.ts";
import { type RowOf, statementOf } from "#lib/db/connection/statement.ts";
import { WebhookDeliveryState } from "#lib/db/generated/enums.ts";
import { CHALLENGE_KIND, type EventKind, webhookKinds } from "#lib/domain/events.ts";
import type { EventId, LicenseId, ResellerId, WebhookEndpointId } from "#lib/domain/ids.ts";
import { webhookFormats } from "#lib/domain/webhook-format.ts";

export type { WebhookDeliveryState } from "#lib/db/generated/enums.ts";

const eventRow = {
  id: as<EventId>(text),
  /** Decimal; higher for the later of two events of one millisecond. */
  sequence: text,
  kind: oneOf(webhookKinds),
  data: jsonObject,
  licenseId: nullable(as<LicenseId>(int)),
  occurredAt: timestamp,
};
export type EventRow = RowOf<typeof eventRow>;

/** Of the product that an event names by its slug. */
export const eventProductName = `(select p.name from products p where p.slug = data ->> 'type') as "productName"`;

const deliveryRow = {
  /** Decimal; grows with time. */
  id: text,
  eventId: as<EventId>(text),
  kind: oneOf(webhookKinds),
  /** A test event. */
  test: boolean,
  licenseId: nullable(as<LicenseId>(int)),
  occurredAt: timestamp,
  endpointId: as<WebhookEndpointId>(int),
  endpointFormat: oneOf(webhookFormats),
  endpointUrl: text,
  endpointChatId: nullable(text),
  endpointDescription: text,
  /** The reseller is a sandbox. */
  testMode: boolean,
  state: oneOf(WebhookDeliveryState),
  attemptCount: int,
  nextAttemptAt: nullable(timestamp),
  /** Of the newest attempt. Null: no response, or none yet. */
  lastStatus: nullable(int),
  lastDurationMs: nullable(int),
  lastError: nullable(text),
};
/** One event for one endpoint, with its newest attempt. */
export type DeliveryRow = RowOf<typeof deliveryRow>;

const attemptRow = {
  deliveryId: text,
  number: int,
  /** Requested by a user, not by the schedule. */
  manual: boolean,
  startedAt: timestamp,
  /** Null: in progress, or its process died (`error` reports that). */
  succeeded: nullable(boolean),
  durationMs: nullable(int),
  status: nullable(int),
  requestHeaders: nullable(as<Readonly<Record<string, string>>>(jsonObject)),
  responseStart: nullable(text),
  error: nullable(text),
};
export type AttemptRow = RowOf<typeof attemptRow>;

/** A cursor, newest event first. */
export interface EventPlace {
  readonly occurredAt: Date;
  /** Decimal. */
  readonly sequence: string;
}

/** Newest first, without challenges. */
export async function listEventRows(
  db: Database,
  resellerId: ResellerId,
  page: {
    readonly kind: EventKind | null;
    readonly licenseId: number | null;
    readonly before: EventPlace | null;
    readonly limit: number;
  },
): Promise<EventRow[]> {
  const name = `list_events_${page.kind !== null}_${page.licenseId !== null}_${page.before !== null}`;
  const text = `
      select id, sequence::text, kind, data, license_id as "licenseId", occurred_at as "occurredAt" from events
       where reseller_id = $1 and kind <> '${CHALLENGE_KIND}'
         ${page.kind !== null ? "and kind = $3" : "and $3::text is null"}
         ${page.licenseId !== null ? "and license_id = $4" : "and $4::int is null"}
         ${page.before !== null ? "and (occurred_at, sequence) < ($5, $6)" : "and $5::timestamptz is null and $6::bigint is null"}
       order by occurred_at desc, events.sequence desc limit $2`;
  const values = [resellerId, page.limit, page.kind, page.licenseId, page.before?.occurredAt, page.before?.sequence];
  return db.query(statementOf(eventRow)(text, { name }), values);
}

const foundEvent = { ...eventRow, productName: nullable(text) };

export const findEventRow = defineFind("find_event", foundEvent)<[resellerId: ResellerId, id: EventId]>`
      select id, sequence::text, kind, data, license_id as "licenseId", occurred_at as "occurredAt", ${eventProductName} from events
            where reseller_id = $1 and id = $2`;

export interface DeliveryFilter {
  readonly endpointId?: number | undefined;
  readonly kind?: EventKind | undefined;
  readonly state?: WebhookDeliveryState | undefined;
  readonly licenseId?: number | undefined;
  /** Time of the event, inclusive. */
  readonly from?: Date | undefined;
  /** Time of the event, exclusive. */
  readonly until?: Date | undefined;
}

const deliveries = `
  select d.id::text as id, d.event_id as "eventId", v.kind, v.test_endpoint_id is not null and v.kind <> '${CHALLENGE_KIND}' as test, v.license_id as "licenseId", v.occurred_at as "occurredAt",
         d.endpoint_id as "endpointId", e.format as "endpointFormat", e.url as "endpointUrl", e.chat_id as "endpointChatId", e.description as "endpointDescription", r.sandbox_of is not null as "testMode", d.state, d.attempt_count as "attemptCount",
         case when d.state = 'pending' then d.next_attempt_at end as "nextAttemptAt",
         a.status as "lastStatus", a.duration_ms as "lastDurationMs", a.error as "lastError"
    from webhook_deliveries d
    join events v on v.id = d.event_id
    join webhook_endpoints e on e.id = d.endpoint_id
    join resellers r on r.id = d.reseller_id
    left join webhook_attempts a on a.delivery_id = d.id and a.number = d.attempt_count`;

function selectDeliveries(resellerId: ResellerId, filter: DeliveryFilter, { before, limit }: PageInput<string>) {
  const values: unknown[] = [resellerId, limit];
  const conditions = ["d.reseller_id = $1"];
  const where = (condition: (place: string) => string, value: unknown) => {
    if (value === undefined || value === null) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  const { endpointId, kind, state, licenseId, from, until } = filter;
  where((place) => `d.id < ${place}`, before);
  where((place) => `d.endpoint_id = ${place}`, endpointId);
  where((place) => `v.kind = ${place}`, kind);
  where((place) => `d.state = ${place}::webhook_delivery_state`, state);
  where((place) => `v.license_id = ${place}`, licenseId);
  where((place) => `v.occurred_at >= ${place}`, from);
  where((place) => `v.occurred_at < ${place}`, until);
  // Unnamed: each set of conditions is planned for its values.
  const text = `${deliveries} where ${conditions.join(" and ")} order by d.id desc limit $2`;
  return [statementOf(deliveryRow)(text), values] as const;
}

/** Newest first. `before`: id of the previous page's last delivery. */
export const deliveryListing = (db: Database, resellerId: ResellerId, filter: DeliveryFilter) =>
  listing(db, (page: PageInput<string>) => selectDeliveries(resellerId, filter, page));

export const findDeliveryRow = defineFind("find_webhook_delivery", deliveryRow)<[resellerId: ResellerId, id: string]>`
      ${deliveries} where d.reseller_id = $1 and d.id = $2`;

export const listDeliveriesOfEvent = defineList("list_deliveries_of_event", deliveryRow)<
  [resellerId: ResellerId, eventId: EventId]
>`
      ${deliveries} where d.reseller_id = $1 and d.event_id = $2 order by d.endpoint_id`;

/** All attempts of these deliveries, oldest first. The caller checks that the deliveries are the reseller's. */
export const listAttemptsOfDeliveries = defineList("list_attempts_of_deliveries", attemptRow)<
  [resellerId: ResellerId, deliveryIds: readonly string[]]
>`
      select a.delivery_id::text as "deliveryId", a.number, a.manual, a.started_at as "startedAt", a.succeeded,
             a.duration_ms as "durationMs", a.status, a.request_headers as "requestHeaders",
             a.response_start as "responseStart", a.error
        from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id
       where d.reseller_id = $1 and a.delivery_id = any (${anyLength("$2::bigint[]")}) order by a.delivery_id, a.number`;
