import { invalidParameters, type ParameterProblem } from "#lib/domain/errors.ts";
import { hasNul } from "#lib/domain/text.ts";
import { normalizeEmail } from "./email.ts";

export const NAME_MAX_LENGTH = 100;

/** @throws DomainError `parameters_invalid` with all problems. */
export function readPerson(input: { readonly email: string; readonly name: string }): {
  readonly email: string;
  readonly name: string;
} {
  const problems: ParameterProblem[] = [];
  const name = readName(input.name, problems);
  const email = normalizeEmail(input.email);
  if (!email) problems.push({ field: "email", kind: "malformed", message: "must be an email address" });
  if (!email || problems.length > 0) throw invalidParameters(problems);
  return { email, name };
}

/** Trims the name; appends to the problems. */
export function readName(text: string, problems: ParameterProblem[]): string {
  const name = text.trim();
  if (name === "" || name.length > NAME_MAX_LENGTH || hasNul(name)) {
    problems.push({ field: "name", kind: "malformed", message: `must have 1 to ${NAME_MAX_LENGTH} characters` });
  }
  return name;
}
