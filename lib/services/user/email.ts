import { z } from "zod";
import { findSqlState, sqlState } from "#lib/db/connection/errors.ts";
import { DomainError } from "#lib/domain/errors.ts";

/** ASCII before it is folded: other letters, such as the Kelvin sign, have ASCII ones as their lower case. */
const emailAddress = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]*$/)
  .toLowerCase()
  .max(254)
  .pipe(z.email());

/** Reads after the field's name. */
export const EMAIL_RULE = "must be an email address";

/** The normalized address; null if invalid. */
export function normalizeEmail(text: string): string | null {
  return emailAddress.safeParse(text).data ?? null;
}

/** For `.catch` of a statement that inserts a user. */
export function emailTaken(error: unknown): never {
  if (findSqlState(error) !== sqlState.uniqueViolation) throw error;
  throw new DomainError("conflict", "A user with this email address already exists.", {
    details: { email: "has a user already" },
  });
}
