import { DomainError } from "#lib/domain/errors.ts";

/** Hides an internal failure behind the request id that the log has (contract 3.15). */
export function internalError(requestId: string, cause: unknown): DomainError {
  const message = `Something went wrong on our side. Contact us with the request id ${requestId}.`;
  return new DomainError("internal", message, { cause, details: { request_id: requestId } });
}
