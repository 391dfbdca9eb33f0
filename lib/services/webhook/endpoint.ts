import { findWebhookEndpoint, type WebhookEndpointRow } from "#lib/db/webhook/endpoint.ts";
import { type DeliveryRow, findDeliveryRow } from "#lib/db/webhook/log.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";

/** `pending`: it has not met its challenge yet. */
export type WebhookEndpointStatus = "active" | "pending" | "paused" | "disabled";

export interface WebhookEndpointView extends WebhookEndpointRow {
  readonly status: WebhookEndpointStatus;
}

export function toView(row: WebhookEndpointRow): WebhookEndpointView {
  const { disabledAt, pausedAt, pendingSince } = row;
  return { ...row, status: disabledAt ? "disabled" : pausedAt ? "paused" : pendingSince ? "pending" : "active" };
}

/** @throws DomainError `not_found`, also for another reseller's (contract 1.12). */
export function requireFound<Row>(row: Row | null): Row {
  if (row !== null) return row;
  throw new DomainError("not_found", "There is no such webhook endpoint.");
}

/** @throws DomainError `not_found`; `conflict` while the endpoint is pending, paused or disabled. */
export async function requireActiveEndpoint(
  db: Parameters<typeof findWebhookEndpoint>[0],
  resellerId: ResellerId,
  endpointId: number,
): Promise<WebhookEndpointRow> {
  const row = requireFound(await findWebhookEndpoint(db, resellerId, endpointId));
  const { status } = toView(row);
  if (status === "active") return row;
  const remedy = status === "pending" ? "Verify it first." : "Set its status to active first.";
  throw new DomainError("conflict", `This webhook endpoint is ${status}. ${remedy}`);
}

/** @throws DomainError `not_found`, also for an invalid id. */
export async function requireDelivery(
  db: Parameters<typeof findDeliveryRow>[0],
  resellerId: ResellerId,
  deliveryId: string,
): Promise<DeliveryRow> {
  const row = /^[1-9]\d{0,17}$/.test(deliveryId) ? await findDeliveryRow(db, resellerId, deliveryId) : null;
  if (row) return row;
  throw new DomainError("not_found", "There is no such delivery.");
}
