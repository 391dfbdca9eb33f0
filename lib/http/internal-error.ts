import { DomainError } from "#lib/domain/errors.ts";

/** Hides a fault of ours behind the request id, under which the log has it (contract 3.15). */
export function internalError(requestId: string, cause: unknown): DomainError {
  const message = `Something went wrong on our side. Tell us the request id ${requestId}.`;
  return new DomainError("internal", message, { cause, details: { request_id: requestId } });
}
