import { formatLicenseId, formatWebhookEndpointId } from "#lib/domain/ids.ts";
import type { DeliveryRow } from "#lib/services/webhook/list-deliveries.ts";
import { eventHref } from "./describe-endpoint.ts";

/**
 * One delivery, as a line of the log. As JSON has it, with times in ISO 8601, UTC: the browser reads the newest rows every
 * two seconds.
 */
export type LogRow = Readonly<ReturnType<typeof toLogRow>>;

export function toLogRow(row: DeliveryRow) {
  return {
    /** Rises with time. */
    id: Number(row.id),
    href: eventHref(row),
    kind: row.kind,
    test: row.test,
    /** `lic_12`; null where the event is of no license. */
    license: row.licenseId === null ? null : formatLicenseId(row.licenseId),
    endpoint: {
      id: formatWebhookEndpointId(row.endpointId),
      url: row.endpointUrl,
      chatId: row.endpointChatId,
      description: row.endpointDescription,
    },
    outcome: row.state,
    attempts: row.attemptCount,
    /** The last attempt is being made. */
    underWay: row.state === "pending" && row.attemptCount > 0 && row.lastDurationMs === null && row.lastError === null,
    at: row.occurredAt.toISOString(),
    /** The last attempt's answer; null while there is none. */
    status: row.lastStatus,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  };
}

/** One page of the log. The links are null at its ends. */
export interface LogPage {
  readonly rows: readonly LogRow[];
  readonly firstHref: string | null;
  readonly nextHref: string | null;
  /** On all pages, up to one more than `COUNTED_AT_MOST`; null if it is not counted. */
  readonly total: number | null;
}
