import { findProviderCycles } from "#lib/db/catalog/cycle-price.ts";
import { type BundleOffer, type CycleOffer, listBundleOffers } from "#lib/db/catalog/offer.ts";
import type { OperationRow } from "#lib/db/operation/operation.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { BundleInstanceId, ResellerId } from "#lib/domain/ids.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import { readFacts } from "#lib/domain/operation-plan.ts";
import { registrationPrice } from "#lib/domain/pricing.ts";
import { firstTerm } from "#lib/domain/term.ts";
import { cycleNotFound } from "#lib/services/catalog/cycle-not-found.ts";
import { requireSpending, type ServiceContext } from "#lib/services/context.ts";
import { type Agreement, chargeAtProvider, type OperationResult } from "#lib/services/operation/change-at-provider.ts";
import { bundleEvent, licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { type BundleInstance, getOwnBundleInstance } from "./get.ts";
import { memberProvider } from "./member-provider.ts";
import { plannedMembers } from "./planned-members.ts";

export interface BundleRegistrationResult extends OperationResult {
  readonly instance: BundleInstance;
}

/**
 * Registers every product of a bundle on one address, all or nothing, at the bundle's price (contract 3.10).
 * @throws DomainError `bundle_not_found`, `cycle_not_found`, `registration_address_taken`, and those of
 *   `chargeAtProvider`.
 */
export async function registerBundle(
  ctx: ServiceContext,
  input: Agreement & {
    readonly bundleId: number;
    readonly cycleId: number;
    readonly ipAddress: LicenseAddress;
    /** Default: false. */
    readonly autoRenew?: boolean | undefined;
  },
): Promise<BundleRegistrationResult> {
  const resellerId = requireSpending(ctx, "bundles:write");
  const result = await chargeAtProvider(ctx, resellerId, input, async (now) => {
    const { bundle, cycle } = await getBundlePurchase(ctx, resellerId, input);
    const { anchoredAt, expiresAt } = firstTerm(now, cycle.months);
    const productIds = bundle.products.map(({ productId }) => productId);
    const providerCycles = await findProviderCycles(ctx.db, productIds, cycle.months);
    const members = bundle.products.map((product) => ({
      product,
      key: createLicenseKey(ctx.randomBytes),
      cores: product.coreMetered ? 1 : null,
    }));
    const term = { ip_address: input.ipAddress, issued_at: anchoredAt, anchored_at: anchoredAt, expires_at: expiresAt };
    return {
      kind: "bundle_register",
      price: registrationPrice(cycle),
      currency: bundle.currency,
      raisesAutoRenew: input.autoRenew,
      newInstance: {
        bundle_id: bundle.bundleId,
        cycle_id: cycle.cycleId,
        auto_renew: input.autoRenew ?? false,
        agreed_renewal_price: cycle.price,
        ...term,
      },
      newLicenses: members.map(({ product, key, cores }) => ({
        ...term,
        key,
        product_id: product.productId,
        cycle_id: null,
        cores,
        notes: "",
        agreed_renewal_price: null,
      })),
      plan: (operationId) => ({
        provider: memberProvider(bundle.products),
        steps: planSteps(
          operationId,
          members.map(({ product, key, cores }) => {
            const { providerSku, productId } = product;
            const subject = { key, providerSku, ipAddress: input.ipAddress, cores, expiresAt, providerReference: null };
            return {
              action: "provision",
              subject,
              purchase: { cycle: providerCycles.get(productId) ?? null, previousExpiresAt: null },
              undo: { action: "terminate", subject },
            };
          }),
        ),
        onSuccess: {
          licenses: members.map(({ key }) => ({ key, provisioned: true })),
          bundleInstance: { provisioned: true },
          events: [
            ...members.map(({ key }) => licenseEvent("license.activated", key)),
            bundleEvent("bundle.registered", { bundle_id: bundle.bundleId, ip_address: input.ipAddress }),
          ],
        },
        onRejection: {
          licenses: [],
          events: members.map(({ key }) => licenseEvent("license.registration_failed", key)),
          discard: true,
        },
        facts: {
          name: bundle.name,
          ipAddress: input.ipAddress,
          expiresAt: expiresAt.toISOString(),
          productNames: bundle.products.map(({ name }) => name),
        },
      }),
    };
  });
  const instanceId = result.operation.bundle_instance_id as BundleInstanceId;
  return {
    ...result,
    instance: toRegisteredInstance(result.operation, await getOwnBundleInstance(ctx, resellerId, instanceId)),
  };
}

/** The instance as registered, without later changes. */
function toRegisteredInstance(operation: OperationRow, instance: BundleInstance): BundleInstance {
  const facts = readFacts(operation, "bundle_register");
  const term = { ipAddress: facts.ipAddress, expiresAt: new Date(facts.expiresAt) };
  const members = plannedMembers(operation, instance.members).map((member, position) => ({
    ...member,
    ...term,
    productName: facts.productNames[position] ?? "",
  }));
  return { ...instance, ...term, name: facts.name, members };
}

async function getBundlePurchase(
  ctx: ServiceContext,
  resellerId: ResellerId,
  input: { readonly bundleId: number; readonly cycleId: number },
): Promise<{ bundle: BundleOffer; cycle: CycleOffer }> {
  const offers = await listBundleOffers(ctx.db, resellerId);
  const bundle = offers.find(({ bundleId }) => bundleId === input.bundleId);
  if (!bundle) {
    throw new DomainError("bundle_not_found", "This bundle is not on sale.", {
      details: { bundle_id: "is not one of the bundles on sale" },
    });
  }
  const cycle = bundle.cycles.find(({ cycleId }) => cycleId === input.cycleId);
  if (!cycle) throw cycleNotFound("bundle");
  return { bundle, cycle };
}
