import { listProductOffers } from "#lib/db/catalog/offer.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { extraCoresPrice, registrationPrice } from "#lib/domain/pricing.ts";
import { insufficientBalance, priceChanged } from "#lib/domain/refused-charge.ts";
import { requireSpending, type ServiceContext } from "#lib/services/context.ts";
import { findEarlierOutcome } from "#lib/services/operation/change-at-provider.ts";
import { changeLicenseCores } from "./change-core.ts";
import { getOwnLicense } from "./get.ts";
import { type RegisterInput, type RegistrationResult, registerLicense } from "./register.ts";

export interface RegistrationWithCores extends RegistrationResult {
  /** Why the license has one core; null: it has all of them. */
  readonly missingCores: string | null;
}

export interface CoresRegisterInput extends RegisterInput {
  readonly cores: number;
  readonly agreedPrice: bigint;
}

/**
 * Registers a license, then adds the cores beyond the first (contract 3.3, 3.6): two operations, of which the second
 * can be refused. Checks the price and the balance of both before the first, unless an earlier request with the same
 * idempotency key has bought that.
 * @throws DomainError those of `registerLicense`
 */
export async function registerLicenseWithCores(
  ctx: ServiceContext,
  { cores, agreedPrice, ...input }: CoresRegisterInput,
): Promise<RegistrationWithCores> {
  const resellerId = requireSpending(ctx, "licenses:write");
  if (cores === 1) return { ...(await registerLicense(ctx, { ...input, agreedPrice })), missingCores: null };
  const earlier = await findEarlierOutcome(ctx, resellerId);
  const first = earlier?.operation.price ?? (await requirePurchase(ctx, resellerId, { ...input, cores, agreedPrice }));
  const registered = await registerLicense(ctx, { ...input, agreedPrice: first });
  if (registered.pending) return { ...registered, missingCores: "The provider has not confirmed the license yet." };
  try {
    if (earlier && (await getOwnLicense(ctx, resellerId, registered.licenseId)).cores === cores) {
      const { posted, held } = await getWallet(ctx.db, resellerId);
      return { ...registered, balanceAfter: posted - held, missingCores: null };
    }
    // A key links to one operation, the first; a repetition finds the cores as they are by then.
    const unkeyed = { ...ctx, claim: null, settledOperation: undefined };
    const { balanceAfter, providerStatus } = await changeLicenseCores(unkeyed, {
      licenseId: registered.licenseId,
      cores,
      agreedPrice: agreedPrice - first,
    });
    const missingCores = providerStatus === "pending" ? "The provider has not confirmed the cores yet." : null;
    return { ...registered, balanceAfter, missingCores };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { ...registered, missingCores: error.message };
  }
}

/**
 * Requires that both operations cost the agreed price together, and that the balance pays for them.
 * @returns the price of the first, in minor units
 */
async function requirePurchase(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { productId, cycleId, cores, agreedPrice }: CoresRegisterInput,
): Promise<bigint> {
  const [offers, { posted, held, currency }] = await Promise.all([
    listProductOffers(ctx.db, resellerId),
    getWallet(ctx.db, resellerId),
  ]);
  const product = offers.find((offer) => offer.productId === productId);
  const cycle = product?.cycles.find((offer) => offer.cycleId === cycleId);
  const first = cycle ? registrationPrice(cycle) : agreedPrice;
  const total = first + (cycle ? extraCoresPrice({ ...cycle, cores }) : 0n);
  if (total !== agreedPrice) throw priceChanged(total, currency);
  if (posted - held < total) throw insufficientBalance(total, total - (posted - held), currency);
  return first;
}
