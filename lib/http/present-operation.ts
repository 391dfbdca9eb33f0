import { toMajorNumber } from "#lib/domain/money.ts";
import { isOpen, operationName } from "#lib/domain/operation.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import type { OperationRow } from "#lib/services/operation/get.ts";

const PENDING_MESSAGE = "The provider has not confirmed this yet. An event reports the outcome.";

/** Used by both interfaces; `price` is the price on success (contract 3.11). */
export function presentOperation(operation: OperationRow) {
  const { kind, state, price, currency, created_at, settled_at, failure_message } = operation;
  const name = operationName(kind);
  const open = isOpen(state);
  const ended = state === "rejected" ? (failure_message ?? "The provider rejected the request.") : `${name} is done.`;
  return {
    operation: name,
    status: open ? ("pending" as const) : state,
    message: open ? PENDING_MESSAGE : ended,
    license_id: operation.license_id,
    bundle_instance_id: operation.bundle_instance_id,
    price: toMajorNumber(price, currency),
    currency,
    created_at: toTimestamp(created_at),
    settled_at: settled_at && toTimestamp(settled_at),
  };
}
