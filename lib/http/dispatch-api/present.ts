import { toMajorNumber } from "#lib/domain/money.ts";
import type { Answer } from "#lib/http/endpoint.ts";
import type { OperationResult } from "#lib/services/operation/change-at-provider.ts";
import type { ChangeOutcome } from "#lib/services/operation/outcome.ts";

/** The envelope of a read (dispatch-interface.md). */
export function dataAnswer(data: unknown): Answer {
  return { status: 200, body: { success: true, data } };
}

/** The envelope of a write: 200, or 202 while the outcome is unknown (contract 3.11). */
export function changeAnswer(
  message: string,
  data: Readonly<Record<string, unknown>>,
  { pending, operationId }: { readonly pending: boolean; readonly operationId: string | null },
): Answer {
  if (!pending) return { status: 200, body: { success: true, message, data } };
  const pendingMessage = "The provider has not confirmed this yet. It will be settled, and an event will say how.";
  return {
    status: 202,
    body: { success: true, message: pendingMessage, data: { ...data, status: "pending", operation_id: operationId } },
  };
}

export function pendingOf(result: OperationResult): { pending: boolean; operationId: string } {
  return { pending: result.pending, operationId: result.operation.id };
}

export function pendingOfChange({ providerStatus, operationId }: ChangeOutcome): {
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
