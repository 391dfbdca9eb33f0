import { z } from "zod";
import { toMajorNumber } from "#lib/domain/money.ts";
import { field } from "#lib/http/answer-fields.ts";
import type { EndpointResult } from "#lib/http/endpoint.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { OperationResult } from "#lib/services/operation/change-at-provider.ts";
import type { ChangeOutcome } from "#lib/services/operation/change-outcome.ts";
import { type ChargePreview, previewCharge } from "#lib/services/operation/preview-charge.ts";

const DONE = { pending: false, operationId: null };

/** Responses of a read. */
export function dataAnswers<Data extends z.ZodObject>(data: Data) {
  return { 200: z.strictObject({ success: z.literal(true), data }) };
}

const envelope = <Data extends z.ZodType>(data: Data) =>
  z.strictObject({ success: z.literal(true), message: field.text, data });

/** Responses of a change that needs no provider. */
export function doneAnswers<Shape extends z.ZodRawShape>(shape: Shape) {
  return { 200: envelope(z.strictObject(shape)) };
}

export const pendingAnswer = z
  .strictObject({ status: z.literal("pending"), operation_id: field.operationId })
  .meta({ title: "PendingOutcome" });

/** Responses of a change: as it was done, or as it will be. */
export function changeAnswers<Shape extends z.ZodRawShape>(shape: Shape) {
  return { ...doneAnswers(shape), 202: envelope(z.strictObject({ ...shape, ...pendingAnswer.shape })) };
}

/** Fields of a charge. */
export const chargeAnswer = { price: field.money, currency: field.currency, balance_after: field.money };
/** A dry run's. */
export const previewAnswer = z.strictObject({ dry_run: z.literal(true), ...chargeAnswer }).meta({ title: "DryRun" });

/** `changeAnswers` of an operation that charges, or previews the charge. */
export function chargeAnswers<Shape extends z.ZodRawShape>(shape: Shape) {
  const { 200: done, 202: pending } = changeAnswers({ ...shape, ...chargeAnswer });
  return { 200: done.extend({ data: z.union([done.shape.data, previewAnswer]) }), 202: pending };
}

/**
 * Charges, or previews the charge if `dry_run` is set (contract 3.18).
 * @param charge calls a service that ends in `chargeAtProvider`
 */
export async function chargeOrPreview<Body>(
  ctx: ServiceContext,
  dry_run: boolean | undefined,
  charge: (ctx: ServiceContext) => Promise<EndpointResult<Body>>,
) {
  if (dry_run !== true) return charge(ctx);
  const preview = await previewCharge(ctx, charge);
  return changeResult("Nothing was changed: this was a dry run.", { dry_run: true as const, ...chargeFields(preview) });
}

export const providerStatus = z.enum(["updated", "unchanged", "pending"]);

/** Envelope of a read (dispatch-interface.md). */
export function dataResult<Data>(data: Data): EndpointResult<{ success: true; data: Data }> {
  return { status: 200, body: { success: true, data } };
}

/** Envelope of a write: 200, or 202 while the outcome is unknown (contract 3.11). */
export function changeResult<Data>(
  message: string,
  data: Data,
  { pending, operationId }: { readonly pending: boolean; readonly operationId: string | null } = DONE,
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
export function chargeFields({ price, currency, balanceAfter }: Omit<ChargePreview, "version">) {
  return {
    price: toMajorNumber(price, currency),
    currency,
    balance_after: toMajorNumber(balanceAfter, currency),
  };
}

/** `chargeFields` of an operation. */
export function operationCharge({ operation, balanceAfter }: OperationResult) {
  return chargeFields({ ...operation, balanceAfter });
}
