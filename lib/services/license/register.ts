import { findProductPurchase, type ProductPurchase } from "#lib/db/catalog/offer.ts";
import { findLicenseByExternalId, type LicenseRow } from "#lib/db/license/license.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { createLicenseKey, type LicenseKey } from "#lib/domain/license-key.ts";
import type { Currency } from "#lib/domain/money.ts";
import { readFacts } from "#lib/domain/operation-plan.ts";
import { registrationPrice } from "#lib/domain/pricing.ts";
import { firstTerm } from "#lib/domain/term.ts";
import { cycleNotFound } from "#lib/services/catalog/cycle-not-found.ts";
import { requireSpending, type ServiceContext } from "#lib/services/context.ts";
import { type Agreement, chargeAtProvider, type OperationResult } from "#lib/services/operation/change-at-provider.ts";
import { licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { requireIdle } from "./state-rules.ts";

/** A core-metered product starts with one core, which the cycle's price includes (contract 3.3). */
const INCLUDED_CORES = 1;

export interface RegisterInput extends Agreement {
  readonly productId: number;
  readonly cycleId: number;
  readonly ipAddress: LicenseAddress;
  readonly notes?: string | undefined;
  /** The reseller's own name of the license (contract 3.17). With one, call `registerLicenseOnce`. */
  readonly externalId?: string | undefined;
  /** Default: false. */
  readonly autoRenew?: boolean | undefined;
}

export interface RegistrationResult extends OperationResult {
  readonly licenseId: LicenseId;
  readonly licenseKey: LicenseKey;
  readonly expiresAt: Date;
}

/** The license that has the external id already; nothing is charged. */
export interface ExistingLicense {
  readonly existing: LicenseRow;
  readonly currency: Currency;
  /** Available balance, in minor units. */
  readonly balanceAfter: bigint;
}

/**
 * `registerLicense`, but returns the license that has the external id already, if any (contract 3.17).
 * @throws DomainError `operation_in_progress` while it is being registered, `parameters_invalid` if it is of another
 *   product, and those of `registerLicense`.
 */
export async function registerLicenseOnce(
  ctx: ServiceContext,
  input: RegisterInput,
): Promise<RegistrationResult | ExistingLicense> {
  try {
    return await registerLicense(ctx, input);
  } catch (error) {
    if (!(error instanceof AlreadyRegistered)) throw error;
    const { posted, held, currency } = await getWallet(ctx.db, requireSpending(ctx, "licenses:write"));
    return { existing: error.license, currency, balanceAfter: posted - held };
  }
}

/** A license has the external id: `registerLicenseOnce` returns it. */
class AlreadyRegistered extends Error {
  readonly license: LicenseRow;

  constructor(license: LicenseRow) {
    super(`license ${license.id} has the external id`);
    this.license = license;
  }
}

async function requireNewExternalId(ctx: ServiceContext, resellerId: ResellerId, input: RegisterInput): Promise<void> {
  const { externalId, productId } = input;
  const license = externalId === undefined ? null : await findLicenseByExternalId(ctx.db, resellerId, externalId);
  if (!license) return;
  if (license.productId !== productId) {
    throw malformed("external_id", `is the name of your license ${license.id}, which has another product`);
  }
  if (license.provisionedAt === null) requireIdle(license);
  throw new AlreadyRegistered(license);
}

/**
 * Registers a license at the provider and charges the cycle's price and setup fee (contract 3.3).
 * @throws DomainError `product_not_found`, `cycle_not_found`, `registration_address_taken`, and those of `chargeAtProvider`.
 */
export async function registerLicense(ctx: ServiceContext, input: RegisterInput): Promise<RegistrationResult> {
  const resellerId = requireSpending(ctx, "licenses:write");
  const result = await chargeAtProvider(ctx, resellerId, input, async (now) => {
    await requireNewExternalId(ctx, resellerId, input);
    const purchase = await getPurchase(ctx, resellerId, input);
    const key = createLicenseKey(ctx.randomBytes);
    const { anchoredAt, expiresAt } = firstTerm(now, purchase.months);
    const cores = purchase.coreMetered ? INCLUDED_CORES : null;
    const price = registrationPrice(purchase);
    return {
      kind: "license_register",
      price,
      currency: purchase.currency,
      raisesAutoRenew: input.autoRenew,
      newLicenses: [
        {
          key,
          product_id: purchase.productId,
          cycle_id: purchase.cycleId,
          ip_address: input.ipAddress,
          cores,
          notes: input.notes ?? "",
          external_id: input.externalId,
          auto_renew: input.autoRenew ?? false,
          agreed_renewal_price: purchase.price,
          issued_at: anchoredAt,
          anchored_at: anchoredAt,
          expires_at: expiresAt,
        },
      ],
      plan: (operationId) => ({
        provider: purchase.provider,
        steps: planSteps(operationId, [
          {
            action: "provision",
            subject: { ...purchase, key, ipAddress: input.ipAddress, cores, expiresAt, providerReference: null },
            purchase: { cycle: purchase.providerCycle, previousExpiresAt: null },
          },
        ]),
        onSuccess: { licenses: [{ key, provisioned: true }], events: [licenseEvent("license.activated", key)] },
        onRejection: { licenses: [], events: [licenseEvent("license.registration_failed", key)], discard: true },
        facts: { licenseKey: key, expiresAt: expiresAt.toISOString() },
      }),
    };
  });
  const { licenseKey, expiresAt } = readFacts(result.operation, "license_register");
  return {
    ...result,
    licenseId: result.operation.license_id as LicenseId,
    licenseKey: licenseKey as LicenseKey,
    expiresAt: new Date(expiresAt),
  };
}

/** A product with the cycle that is bought. */
type SoldProduct = ProductPurchase & {
  readonly [Field in "cycleId" | "months" | "price" | "setupFee"]: NonNullable<ProductPurchase[Field]>;
};

async function getPurchase(ctx: ServiceContext, resellerId: ResellerId, input: RegisterInput): Promise<SoldProduct> {
  const purchase = await findProductPurchase(ctx.db, resellerId, input.productId, input.cycleId);
  if (!purchase?.sold) {
    throw new DomainError("product_not_found", "This product is not on sale.", {
      details: { product_id: "is not one of the products on sale" },
    });
  }
  const { cycleId, months, price, setupFee } = purchase;
  if (cycleId === null || months === null || price === null || setupFee === null) throw cycleNotFound("product");
  return { ...purchase, cycleId, months, price, setupFee };
}
