import type { ChangedBy } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { findReseller } from "#lib/db/reseller/reseller.ts";
import { openSandbox } from "#lib/db/reseller/sandbox.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { type Currency, minorDigits } from "#lib/domain/money.ts";
import { noSuchReseller, requireManagedReseller } from "#lib/services/api-key/manager.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";

/** In major units. */
const FIRST_PLAY_MONEY = 10_000n;

/** What a new sandbox begins with; money in minor units. */
export function openingOf(currency: Currency, by: ChangedBy) {
  return { ...by, playMoney: FIRST_PLAY_MONEY * 10n ** BigInt(minorDigits(currency)) };
}

/**
 * The sandbox of a reseller, created with play money at the first call.
 * @throws DomainError `permission_denied`; `not_found`; `state_invalid` if the reseller is itself a sandbox
 */
export async function openSandboxOf(ctx: ServiceContext, resellerId: ResellerId): Promise<ResellerId> {
  requireManagedReseller(ctx, resellerId, "sandbox:write");
  const reseller = await findReseller(ctx.db, resellerId);
  if (!reseller) throw noSuchReseller();
  if (reseller.sandboxOf !== null) throw new DomainError("state_invalid", "This is test mode already.");
  return openSandbox(ctx.db, resellerId, openingOf(reseller.currency, changedBy(ctx)));
}

/** @throws DomainError `state_invalid` for a sandbox */
export async function requireLive(db: Database, resellerId: ResellerId): Promise<void> {
  const reseller = await findReseller(db, resellerId);
  if (reseller) refuseSandbox(reseller);
}

/** @throws DomainError `state_invalid` for a sandbox */
export function refuseSandbox({ sandboxOf }: { readonly sandboxOf: ResellerId | null }): void {
  if (sandboxOf !== null) throw new DomainError("state_invalid", "This is not possible in test mode.");
}

/**
 * The sandbox that the user works in.
 * @throws DomainError `state_invalid` in live mode
 */
export async function requireSandbox(
  ctx: ServiceContext,
): Promise<{ readonly sandboxId: ResellerId; readonly liveId: ResellerId; readonly currency: Currency }> {
  const sandboxId = requireResellerUser(ctx, "sandbox:write");
  const reseller = await findReseller(ctx.db, sandboxId);
  if (!reseller) throw noSuchReseller();
  if (reseller.sandboxOf === null) throw new DomainError("state_invalid", "This is possible in test mode only.");
  return { sandboxId, liveId: reseller.sandboxOf, currency: reseller.currency };
}
