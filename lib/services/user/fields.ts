import { invalidParameters, malformedFields } from "#lib/domain/errors.ts";
import { isStorableWithin } from "#lib/domain/text.ts";
import { EMAIL_RULE, normalizeEmail } from "./email.ts";

const NAME_MAX_LENGTH = 100;

/** @throws DomainError `parameters_invalid` with all problems. */
export function readPerson(input: { readonly email: string; readonly name: string }): {
  readonly email: string;
  readonly name: string;
} {
  const name = input.name.trim();
  const email = normalizeEmail(input.email);
  const problems = malformedFields({ name: findNameProblem(name), email: email === null && EMAIL_RULE });
  if (email === null || problems.length > 0) throw invalidParameters(problems);
  return { email, name };
}

/** What is wrong with a trimmed name, or null. */
export function findNameProblem(name: string): string | null {
  const isValid = name !== "" && isStorableWithin(name, NAME_MAX_LENGTH);
  return isValid ? null : `must have 1 to ${NAME_MAX_LENGTH} characters`;
}
