import type { Database } from "#lib/db/connection/client.ts";
import { createPendingWrites } from "#lib/db/connection/transaction.ts";
import { holdSession } from "#lib/db/user/session.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";

/**
 * For changes that hand out what outlives the session, such as a key or a link: they are committed only if the session
 * has not ended meanwhile, and who ends it at the same moment waits for them. Other actors have no session.
 * @param others users whom the change locks, besides the actor
 * @throws DomainError `state_invalid`: the session has ended; and what `change` throws
 */
export async function writeInSession<Result>(
  ctx: ServiceContext,
  change: (db: Database) => Promise<Result>,
  others: readonly UserId[] = [],
): Promise<Result> {
  const { actor, claim, db, sessionId } = ctx;
  if (sessionId === null || !("userId" in actor)) return change(writesOf(ctx));
  const pending = claim?.pending ?? createPendingWrites(db);
  try {
    if (!(await holdSession(pending.writes, sessionId, actor.userId, others))) throw sessionEnded();
    const result = await change(pending.writes);
    // With a key, the answer is stored in the same transaction.
    if (claim === null) await pending.commit();
    return result;
  } finally {
    if (claim === null) await pending.rollback();
  }
}

function sessionEnded(): DomainError {
  return new DomainError("state_invalid", "Your session has ended. Sign in again.");
}
