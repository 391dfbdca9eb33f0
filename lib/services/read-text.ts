import { invalidParameters, malformed } from "#lib/domain/errors.ts";
import { isStorableWithin } from "#lib/domain/text.ts";

/** Text as typed, without white space around it. @throws DomainError `parameters_invalid` */
export function readText(typed: string, field: string, maxLength: number): string {
  const text = typed.trim();
  if (isStorableWithin(text, maxLength)) return text;
  throw malformed(field, `must have at most ${maxLength} characters`);
}

/** @throws DomainError `parameters_invalid`, also if empty. */
export function readRequired(typed: string, field: string, maxLength: number): string {
  const text = readText(typed, field, maxLength);
  if (text !== "") return text;
  throw invalidParameters([{ field, kind: "missing", message: "is required" }]);
}
