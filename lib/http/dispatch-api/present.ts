import { toMajorNumber } from "#lib/domain/money.ts";
import type { EndpointResult } from "#lib/http/endpoint.ts";
import type { OperationResult } from "#lib/services/operation/change-at-provider.ts";
import type { ChangeOutcome } from "#lib/services/operation/change-outcome.ts";

/** Envelope of a read (dispatch-interface.md). */
export function dataResult(data: unknown): EndpointResult {
  return { status: 200, body: { success: true, data } };
}

/** Envelope of a write: 200, or 202 while the outcome is unknown (contract 3.11). */
export function changeResult(
  message: string,
  data: Readonly<Record<string, unknown>>,
  { pending, operationId }: { readonly pending: boolean; readonly operationId: string | null },
): EndpointResult {
  if (!pending) return { status: 200, body: { success: true, message, data } };
  const pendingMessage = "The provider has not confirmed this yet. An event reports the outcome.";
  return {
    status: 202,
    body: { success: true, message: pendingMessage, data: { ...data, status: "pending", operation_id: operationId } },
  };
}

export function presentPending(result: OperationResult): { pending: boolean; operationId: string } {
  return { pending: result.pending, operationId: result.operation.id };
}

export function presentPendingChange({ providerStatus, operationId }: ChangeOutcome): {
  pending: boolean;
  operationId: string | null;
} {
  return { pending: providerStatus === "pending", operationId };
}

/** `price`, `currency`, `balance_after` in major units (contract 1.9). */
export function chargeFields({ operation, balanceAfter }: OperationResult) {
  const { price, currency } = operation;
  return {
    price: toMajorNumber(price, currency),
    currency,
    balance_after: toMajorNumber(balanceAfter, currency),
  };
}
