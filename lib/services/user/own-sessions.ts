import {
  endOtherSessionRows,
  endSessionRow,
  listSessionRows,
  type SessionLimits,
  type SessionRow,
} from "#lib/db/user/session.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireOwnUser } from "./manager.ts";

export type { SessionRow } from "#lib/db/user/session.ts";

const MAX_LISTED = 50;

/** The actor's live sessions, newest first. */
export async function listOwnSessions(
  ctx: ServiceContext,
  { idleMinutes }: Pick<SessionLimits, "idleMinutes">,
): Promise<readonly SessionRow[]> {
  const userId = requireOwnUser(ctx);
  return listSessionRows(ctx.db, userId, { limit: MAX_LISTED, idleMinutes });
}

/** @throws DomainError `not_found` (also: another user's, or ended). */
export async function endOwnSession(ctx: ServiceContext, input: { readonly sessionId: string }): Promise<void> {
  const userId = requireOwnUser(ctx);
  if (await endSessionRow(ctx.db, userId, input.sessionId)) return;
  throw new DomainError("not_found", "This session has already ended.");
}

/** Ends all of the actor's sessions but `ctx.sessionId`. Idempotent. */
export async function endOtherSessions(ctx: ServiceContext): Promise<void> {
  const userId = requireOwnUser(ctx);
  await endOtherSessionRows(ctx.db, userId, ctx.sessionId);
}
