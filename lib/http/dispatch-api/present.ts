import { z } from "zod";
import { toMajorNumber } from "#lib/domain/money.ts";
import { field } from "#lib/http/answer-fields.ts";
import type { EndpointResult } from "#lib/http/endpoint.ts";
import type { OperationResult } from "#lib/services/operation/change-at-provider.ts";
import type { ChangeOutcome } from "#lib/services/operation/change-outcome.ts";

/** Responses of a read. */
export function dataAnswers<Data extends z.ZodObject>(data: Data) {
  return { 200: z.strictObject({ success: z.literal(true), data }) };
}

/** Responses of a change: as it was done, or as it will be. */
export function changeAnswers<Shape extends z.ZodRawShape>(shape: Shape) {
  const envelope = <Data extends z.ZodType>(data: Data) =>
    z.strictObject({ success: z.literal(true), message: field.text, data });
  const pending = { ...shape, status: z.literal("pending"), operation_id: field.operationId };
  return { 200: envelope(z.strictObject(shape)), 202: envelope(z.strictObject(pending)) };
}

/** Fields of a charge. */
export const chargeAnswer = { price: field.money, currency: field.currency, balance_after: field.money };
export const providerStatus = z.enum(["updated", "unchanged", "pending"]);

/** Envelope of a read (dispatch-interface.md). */
export function dataResult<Data>(data: Data): EndpointResult<{ success: true; data: Data }> {
  return { status: 200, body: { success: true, data } };
}

/** Envelope of a write: 200, or 202 while the outcome is unknown (contract 3.11). */
export function changeResult<Data>(
  message: string,
  data: Data,
  { pending, operationId }: { readonly pending: boolean; readonly operationId: string | null },
): EndpointResult<{ success: true; message: string; data: Data }> {
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
