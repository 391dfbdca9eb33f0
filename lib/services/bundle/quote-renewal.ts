import { type CyclePrice, listCyclePrices } from "#lib/db/catalog/cycle-price.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { bundleRenewalPrice } from "#lib/domain/pricing.ts";
import { extendTerm, isExtendable } from "#lib/domain/term.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";
import { requireProvisioned } from "#lib/services/license/state-rules.ts";
import { type BundleInstance, getOwnBundleInstance } from "./get.ts";
import { findMetering } from "./member-metering.ts";

/**
 * Price, with its members' cores, and term of a bundle's renewal by each cycle, shortest first; none if the bundle ends
 * more than 25 years ahead. Omits cycles for which a member's cores have no price.
 * @throws DomainError `bundle_instance_not_found`, `state_invalid`.
 */
export async function quoteBundleRenewals(
  ctx: ServiceContext,
  input: { readonly bundleInstanceId: number },
): Promise<readonly RenewalQuote[]> {
  const resellerId = requireReseller(ctx, "bundles:read");
  const instance = await getOwnBundleInstance(ctx, resellerId, input.bundleInstanceId);
  const now = ctx.now();
  const quotes = await quoteOwnBundleRenewals(ctx, resellerId, instance, now);
  return isExtendable(instance, now) ? quotes : [];
}

/** However far ahead the bundle ends. The caller checks permissions. */
export async function quoteOwnBundleRenewals(
  ctx: ServiceContext,
  resellerId: ResellerId,
  instance: BundleInstance,
  now: Date,
): Promise<readonly RenewalQuote[]> {
  requireProvisioned(instance, "bundle");
  const cycles = await listCyclePrices(ctx.db, resellerId, { bundleId: instance.bundleId }, instance.cycleId);
  const quotes = await Promise.all(cycles.map((cycle) => quote(ctx, resellerId, { instance, now }, cycle)));
  return quotes.filter((found) => found !== null);
}

async function quote(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { instance, now }: { readonly instance: BundleInstance; readonly now: Date },
  { cycleId, name, months, price, currency }: CyclePrice,
): Promise<RenewalQuote | null> {
  try {
    const members = await Promise.all(instance.members.map((member) => findMetering(ctx, resellerId, member, months)));
    const term = extendTerm(instance, months, now);
    const current = cycleId === instance.cycleId;
    return { cycleId, name, months, price: bundleRenewalPrice({ price, members }), currency, term, current };
  } catch (error) {
    if (isDomainError(error) && error.code === "cycle_not_found") return null;
    throw error;
  }
}
