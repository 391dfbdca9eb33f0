import type { LicenseRow } from "#lib/db/license/license.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { getOwnBundleInstance } from "#lib/services/bundle/get.ts";
import { quoteOwnBundleRenewals } from "#lib/services/bundle/quote-renewal.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { type CoreChangeFacts, renewalPriceChange } from "./core-change.ts";
import { quoteOwnRenewals } from "./quote-renewal.ts";

/**
 * Today's price of the next renewal, of the license or its bundle, without the cores that are removed; minor units. Null:
 * its cycle has no price today.
 */
export async function quoteRenewalAfterRemoval(
  ctx: ServiceContext,
  resellerId: ResellerId,
  license: LicenseRow,
  change: CoreChangeFacts & { readonly now: Date },
): Promise<bigint | null> {
  const quotes =
    license.bundleInstanceId === null
      ? await quoteOwnRenewals(ctx, resellerId, license, change.now)
      : await quoteOwnBundleRenewals(
          ctx,
          resellerId,
          await getOwnBundleInstance(ctx, resellerId, license.bundleInstanceId),
          change.now,
        );
  const current = quotes.find((quote) => quote.current);
  return current === undefined ? null : current.price + renewalPriceChange(change);
}
