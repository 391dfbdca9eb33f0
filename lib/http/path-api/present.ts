import { z } from "zod";
import { field } from "#lib/http/answer-fields.ts";
import type { EndpointResult } from "#lib/http/endpoint.ts";

export function ok<const Body>(body: Body): EndpointResult<Body> {
  return { status: 200, body };
}

/** Of a change. */
export const done = z.strictObject({ success: z.literal(true), message: field.text });
export const updated = done.extend({ updated_at: field.time });

/** Of a change that the provider has not confirmed: 202 (contract 3.11). */
export function pendingResult<More extends object>(change: string, operationId: string | null, more: More) {
  const message = `The ${change} is pending: the provider has not confirmed it yet. GET /operations/${operationId} has the outcome.`;
  return { status: 202, body: { success: true as const, message, ...more } };
}
