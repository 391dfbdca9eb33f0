import { type ClaimedPlace, hasForeignClaim } from "#lib/db/operation/address-claim.ts";
import { countAddressLooks, findExhaustedLooks } from "#lib/db/operation/address-look.ts";
import { isAddressTaken } from "#lib/db/operation/operation.ts";
import { isBulkRequest } from "#lib/domain/bulk.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/**
 * That an address has a live license of a product shows in every refusal, also when it is another reseller's. Answers
 * that show it and cost nothing are looks, of which a reseller has so many a day (contract 1.12).
 */
export const MAX_ADDRESS_LOOKS_A_DAY = 200;

/**
 * Counts looks, before what they show is shown.
 * @throws DomainError `rate_limited`: today's are used up, or would be
 */
export async function takeAddressLooks(ctx: ServiceContext, resellerId: ResellerId, count = 1): Promise<void> {
  if (!isLimited(ctx) || count === 0) return;
  const waitSeconds = await countAddressLooks(ctx.db, resellerId, count, MAX_ADDRESS_LOOKS_A_DAY);
  if (waitSeconds !== null) throw exhausted(waitSeconds);
}

/**
 * Before a change that is free: once the looks are used up, its success would show as much as its refusal. Items of a
 * bulk job go on: the plan of the job was a look, and what was begun can always be undone.
 * @throws DomainError `rate_limited`
 */
export async function requireAddressLook(ctx: ServiceContext, resellerId: ResellerId): Promise<void> {
  if (!isLimited(ctx) || isBulkRequest(ctx.requestId)) return;
  const waitSeconds = await findExhaustedLooks(ctx.db, resellerId, MAX_ADDRESS_LOOKS_A_DAY);
  if (waitSeconds !== null) throw exhausted(waitSeconds);
}

/**
 * Rethrows a refused hold, as a look if it shows a license of another reseller.
 * @throws the error, or DomainError `rate_limited` in its place
 */
export async function countRefusedLook(
  ctx: ServiceContext,
  resellerId: ResellerId,
  places: readonly ClaimedPlace[],
  error: unknown,
): Promise<never> {
  if (isAddressTaken(error) && (await hasForeignClaim(ctx.db, resellerId, places))) {
    await takeAddressLooks(ctx, resellerId);
  }
  throw error;
}

/** Admins see every license anyway, and the worker shows nobody. */
function isLimited({ actor }: ServiceContext): boolean {
  return actor.kind === "api_key" || actor.kind === "reseller_user";
}

function exhausted(retryAfterSeconds: number): DomainError {
  const message = `Today's ${MAX_ADDRESS_LOOKS_A_DAY} free checks of addresses are used up. They start again at midnight UTC.`;
  return new DomainError("rate_limited", message, { retryAfterSeconds });
}
