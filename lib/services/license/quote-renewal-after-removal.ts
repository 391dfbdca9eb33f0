import type { LicenseRow } from "#lib/db/license/license.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { type BundleInstance, getOwnBundleInstance } from "#lib/services/bundle/get.ts";
import { quoteOwnBundleRenewals } from "#lib/services/bundle/quote-renewal.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { quoteOwnRenewals } from "./quote-renewal.ts";

/** Today's price of the next renewal, of the license or its bundle, with fewer cores; minor units. Null without a price. */
export async function quoteRenewalAfterRemoval(
  ctx: ServiceContext,
  resellerId: ResellerId,
  license: LicenseRow,
  { cores, now }: { readonly cores: number | null; readonly now: Date },
): Promise<bigint | null> {
  const { id, bundleInstanceId } = license;
  const quotes =
    bundleInstanceId === null
      ? await quoteOwnRenewals(ctx, resellerId, { ...license, cores }, now)
      : await quoteBundle(await getOwnBundleInstance(ctx, resellerId, bundleInstanceId));
  return quotes.find(({ current }) => current)?.price ?? null;

  function quoteBundle(instance: BundleInstance) {
    const members = instance.members.map((member) => (member.id === id ? { ...member, cores } : member));
    return quoteOwnBundleRenewals(ctx, resellerId, { ...instance, members }, now);
  }
}
