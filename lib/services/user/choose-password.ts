import { findSqlState, sqlState } from "#lib/db/connection/errors.ts";
import { type DomainError, malformed } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import type { VisitorContext } from "#lib/services/context.ts";
import { checkPassword, signInGate } from "./sign-in-gate.ts";

/**
 * Sets a password that the user chose. Users with the same email address have different ones (docs/decisions/0030), so
 * whether one is accepted reveals whether it is another user's: each choice counts as a guess and delays later ones,
 * whatever its outcome.
 * @throws DomainError `unavailable` (too many at once)
 */
export async function choosePassword<Outcome>(
  { db }: Pick<VisitorContext, "db">,
  userId: UserId,
  choose: () => Promise<Outcome>,
  gate = signInGate,
): Promise<Outcome> {
  const name = String(userId);
  const subjects = [{ kind: "choice", name }] as const;
  const attempt = { account: `choice:${name}`, source: `choice:${name}`, subjects };
  const chosen: Outcome[] = [];
  await checkPassword(db, gate.known, attempt, async () => {
    chosen.push(await choose());
    // No choice is forgiven.
    return null;
  });
  return chosen[0] as Outcome;
}

/** For `catch` of a statement that sets a password: another user of the address has it. */
export function rejectSharedPassword(error: unknown): never {
  if (findSqlState(error) !== sqlState.uniqueViolation) throw error;
  throw differentPassword();
}

export function differentPassword(): DomainError {
  return malformed("new_password", "must be a different one");
}
