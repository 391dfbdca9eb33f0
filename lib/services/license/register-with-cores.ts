import { listProductOffers } from "#lib/db/catalog/offer.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { extraCoresPrice, registrationPrice } from "#lib/domain/pricing.ts";
import { insufficientBalance, priceChanged } from "#lib/domain/refused-charge.ts";
import { requireSpending, type ServiceContext } from "#lib/services/context.ts";
import { changeLicenseCores } from "./change-core.ts";
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
 * can be refused. Checks the price and the balance of both before the first.
 * @throws DomainError those of `registerLicense`
 */
export async function registerLicenseWithCores(
  ctx: ServiceContext,
  { cores, agreedPrice, ...input }: CoresRegisterInput,
): Promise<RegistrationWithCores> {
  const resellerId = requireSpending(ctx, "licenses:write");
  if (cores === 1) return { ...(await registerLicense(ctx, { ...input, agreedPrice })), missingCores: null };
  const [offers, { posted, held, currency }] = await Promise.all([
    listProductOffers(ctx.db, resellerId),
    getWallet(ctx.db, resellerId),
  ]);
  const cycle = offers
    .find(({ productId }) => productId === input.productId)
    ?.cycles.find(({ cycleId }) => cycleId === input.cycleId);
  const first = cycle ? registrationPrice(cycle) : agreedPrice;
  const total = first + (cycle ? extraCoresPrice({ ...cycle, cores }) : 0n);
  if (total !== agreedPrice) throw priceChanged(total, currency);
  if (posted - held < total) throw insufficientBalance(total, total - (posted - held), currency);
  const registered = await registerLicense(ctx, { ...input, agreedPrice: first });
  if (registered.pending) return { ...registered, missingCores: "The provider has not confirmed the license yet." };
  try {
    // A key links to one operation, the first; a repetition finds the cores as they are by then.
    const change = { licenseId: registered.licenseId, cores, agreedPrice: total - first };
    const { balanceAfter, providerStatus } = await changeLicenseCores({ ...ctx, claim: null }, change);
    const missingCores = providerStatus === "pending" ? "The provider has not confirmed the cores yet." : null;
    return { ...registered, balanceAfter, missingCores };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    return { ...registered, missingCores: error.message };
  }
}
