import { findRehearsal, type Rehearsal, setRehearsalRow } from "#lib/db/reseller/sandbox.ts";
import { malformed } from "#lib/domain/errors.ts";
import { MAX_REHEARSED_REQUESTS } from "#lib/domain/simulation.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireSandbox } from "./open.ts";

export type { Rehearsal } from "#lib/db/reseller/sandbox.ts";

/** How the next provider requests of the sandbox end; null: as usual. @throws DomainError `state_invalid` in live mode */
export async function getRehearsal(ctx: ServiceContext): Promise<Rehearsal | null> {
  const { sandboxId } = await requireSandbox(ctx);
  return findRehearsal(ctx.db, sandboxId);
}

/**
 * Sets how the next provider requests of the sandbox end; `remaining` 0: as usual.
 * @throws DomainError `state_invalid` in live mode; `parameters_invalid`
 */
export async function setRehearsal(ctx: ServiceContext, next: Rehearsal): Promise<void> {
  const { sandboxId } = await requireSandbox(ctx);
  const isCount = Number.isInteger(next.remaining) && next.remaining >= 0 && next.remaining <= MAX_REHEARSED_REQUESTS;
  if (!isCount) throw malformed("remaining", `must be 0 to ${MAX_REHEARSED_REQUESTS}`);
  await setRehearsalRow(writesOf(ctx), sandboxId, next);
}
