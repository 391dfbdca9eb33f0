import { findSqlState, sqlState } from "#lib/db/connection/errors.ts";
import { DomainError, invalidParameters, malformed } from "#lib/domain/errors.ts";
import { VIEW_NAME_MAX_LENGTH } from "#lib/domain/saved-view.ts";
import { isStorableWithin } from "#lib/domain/text.ts";

/** Without white space around it, and one space between its words. @throws DomainError `parameters_invalid` */
export function readViewName(text: string): string {
  const name = text.trim().replace(/\s+/g, " ");
  if (name === "") throw invalidParameters([{ field: "name", kind: "missing", message: "is required" }]);
  if (!isStorableWithin(name, VIEW_NAME_MAX_LENGTH)) {
    throw malformed("name", `must have at most ${VIEW_NAME_MAX_LENGTH} characters`);
  }
  return name;
}

/** For `catch` of a write. */
export function rethrowTakenName(error: unknown): never {
  if (findSqlState(error) !== sqlState.uniqueViolation) throw error;
  throw malformed("name", "is taken by another of your views");
}

export function viewNotFound(): DomainError {
  return new DomainError("not_found", "This view does not exist any more, or belongs to someone else.");
}
