import type { Held, Hold } from "#lib/db/operation/hold.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { permissionDenied } from "#lib/services/actor.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { holdAndRollBack, requireAddressLookupsLeft, rethrowRejectedHold } from "./address-lookup.ts";
import { versionOf } from "./seen-version.ts";

/** What a charge would be now. */
export interface ChargePreview {
  /** Minor units of `currency`; negative for a credit, 0 if nothing would change. */
  readonly price: bigint;
  readonly currency: Currency;
  /** Available balance after it, in minor units. */
  readonly balanceAfter: bigint;
  /** Of the licenses that the price is for; `seenVersion` of the charge itself. */
  readonly version: string;
}

/** Ends a preview where the change would begin. */
class PreviewEnd extends Error {
  readonly preview: ChargePreview;

  constructor(preview: ChargePreview) {
    super("a preview ends here");
    this.preview = preview;
  }
}

/**
 * Runs a service that charges up to the point where it would write, with every check on the way (contract 3.18).
 * @throws DomainError that the service would throw before it sends anything
 */
export async function previewCharge(
  ctx: ServiceContext,
  charge: (ctx: ServiceContext) => Promise<unknown>,
): Promise<ChargePreview> {
  try {
    await charge({ ...ctx, isPreview: true });
  } catch (error) {
    if (error instanceof PreviewEnd) return error.preview;
    throw error;
  }
  const { actor } = ctx;
  if (!("resellerId" in actor) || actor.resellerId === null) throw permissionDenied("Only a reseller may do this.");
  // The service had nothing to do.
  const { posted, held, currency } = await getWallet(ctx.db, actor.resellerId);
  return { price: 0n, currency, balanceAfter: posted - held, version: "" };
}

/** @throws PreviewEnd, or the DomainError of the hold */
export async function previewHold(ctx: ServiceContext, resellerId: ResellerId, hold: Hold): Promise<never> {
  const { price, currency } = hold.operation;
  if (currency === null) throw new TypeError("only a charge has a preview");
  const { spendable } = await tryHold(ctx, resellerId, hold);
  // A credit is posted once it settles.
  const balanceAfter = price < 0n ? spendable - price : spendable;
  const version = versionOf(hold.lockLicenses);
  throw new PreviewEnd({ price, currency: currency as Currency, balanceAfter, version });
}

/**
 * Places the hold and rolls it back. Like a free change of address, it needs address lookups left, because its success
 * reveals as much as its rejection (contract 1.12).
 * @throws DomainError of the hold
 */
export async function tryHold(ctx: ServiceContext, resellerId: ResellerId, hold: Hold): Promise<Held> {
  if (hold.newLicenses.length + hold.claims.length > 0) await requireAddressLookupsLeft(ctx, resellerId);
  return holdAndRollBack(ctx, hold).catch((error) => rethrowRejectedHold(ctx, resellerId, hold, error));
}
