import { type ClaimHolder, findClaimHolder } from "#lib/db/operation/address-claim.ts";
import { addAddressLookups, findExhaustedLookups } from "#lib/db/operation/address-lookup.ts";
import { type Held, type Hold, holdOperation } from "#lib/db/operation/hold.ts";
import { isAddressTaken } from "#lib/db/operation/hold-failure.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/**
 * An address lookup is a free answer that reveals whether an address has a live license of a product, possibly another
 * reseller's. Each reseller has this many per UTC day (contract 1.12).
 */
export const MAX_ADDRESS_LOOKUPS_PER_DAY = 200;

/** Call before revealing the result. @throws DomainError `rate_limited` if the count would exceed today's limit */
export async function countAddressLookups(ctx: ServiceContext, resellerId: ResellerId, count = 1): Promise<void> {
  if (!isLimited(ctx) || count === 0) return;
  const waitSeconds = await addAddressLookups(ctx.db, resellerId, count, MAX_ADDRESS_LOOKUPS_PER_DAY);
  if (waitSeconds !== null) throw exhausted(waitSeconds);
}

/** For a result that is revealed even beyond the limit, as the provider was sent the request. */
export async function recordAddressLookup(ctx: ServiceContext, resellerId: ResellerId): Promise<void> {
  if (isLimited(ctx)) await addAddressLookups(ctx.db, resellerId, 1, MAX_ADDRESS_LOOKUPS_PER_DAY);
}

/**
 * For changes without a price, whose success reveals as much as their rejection.
 * @throws DomainError `rate_limited`
 */
export async function requireAddressLookupsLeft(ctx: ServiceContext, resellerId: ResellerId): Promise<void> {
  if (!isLimited(ctx)) return;
  const waitSeconds = await findExhaustedLookups(ctx.db, resellerId, MAX_ADDRESS_LOOKUPS_PER_DAY);
  if (waitSeconds !== null) throw exhausted(waitSeconds);
}

/**
 * Rethrows the error of a hold. Counts an address lookup if the error reveals another reseller's license; a rejected
 * registration names an own one that is suspended (contract 3.3), a bundle's operation the product.
 * @throws the error, or if today's lookups are used up, the error that the hold would have at a free address, else
 *   DomainError `rate_limited`
 */
export async function rethrowRejectedHold(
  ctx: ServiceContext,
  resellerId: ResellerId,
  hold: Hold,
  error: unknown,
): Promise<never> {
  if (!isAddressTaken(error)) throw error;
  const { newLicenses, claims, operation } = hold;
  const holder = await findClaimHolder(ctx.db, resellerId, [...newLicenses, ...claims], operation.created_at);
  if (holder?.isOwn && holder.isSuspended && error.code === "registration_address_taken") {
    throw takenBySuspended(error, holder.licenseId);
  }
  if (holder && !holder.isOwn) {
    await countAddressLookups(ctx, resellerId).catch(async (exhaustion) => {
      // Who cannot pay is answered alike at a free address and at a taken one.
      await holdAndRollBack(ctx, { ...hold, newLicenses: [], newInstance: null, claims: [] });
      throw exhaustion;
    });
  }
  throw holder && hold.operation.kind.startsWith("bundle_") ? nameMember(error, holder) : error;
}

/** Places the hold in a transaction that is rolled back: its rules live in the database. @throws DomainError of the hold */
export async function holdAndRollBack({ db }: ServiceContext, hold: Hold): Promise<Held> {
  const transaction = await db.begin();
  return holdOperation(transaction, hold).finally(() => transaction.rollback());
}

function takenBySuspended(error: DomainError, licenseId: LicenseId): DomainError {
  const message = `Your license ${licenseId} of this product has this address and is suspended. Unsuspend it instead.`;
  const details = { ...error.details, ip_address: message, license_id: String(licenseId) };
  return new DomainError(error.code, message, { details, cause: error });
}

/** Which product of the bundle has a live license on the address (contract 3.10). */
function nameMember(error: DomainError, { productId, productName }: ClaimHolder): DomainError {
  const name = (text: string) => text.replace("this product", () => productName);
  const named = Object.entries(error.details).map(([field, text]) => [field, name(text)]);
  const details = { ...Object.fromEntries(named), product_id: String(productId) };
  return new DomainError(error.code, name(error.message), { details, cause: error });
}

/** A relocation's plan was counted. */
function isLimited(ctx: ServiceContext): boolean {
  return ctx.relocates === undefined && isActorLimited(ctx);
}

/** Admins can see every license; workers reveal nothing. */
export function isActorLimited({ actor }: ServiceContext): boolean {
  return actor.kind === "api_key" || actor.kind === "reseller_user";
}

function exhausted(retryAfterSeconds: number): DomainError {
  const message = `Today's ${MAX_ADDRESS_LOOKUPS_PER_DAY} free address lookups are used up. Try again after midnight UTC.`;
  return new DomainError("rate_limited", message, { retryAfterSeconds });
}
