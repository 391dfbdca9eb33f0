import { updateAutoRenew } from "#lib/db/renewal/event.ts";
import type { BundleInstanceId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireSpending, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { invalidState, requireIdle } from "#lib/services/license/state-rules.ts";
import type { Agreement } from "#lib/services/operation/change-at-provider.ts";
import { requireAgreedRenewal, requireUnlimitedSpending } from "#lib/services/renewals/agree.ts";
import { getOwnBundleInstance } from "./get.ts";
import { quoteOwnBundleRenewals } from "./quote-renewal.ts";

/**
 * Switches auto-renew of a bundle instance (docs/money.md). `agreedPrice` is the renewal price the caller saw; automatic
 * renewals can then charge it.
 * @throws DomainError `bundle_instance_not_found`, `state_invalid` (terminated), `operation_in_progress` (with an agreed
 *   price), `price_changed`, `cycle_not_found`, `spending_limit_reached`.
 */
export async function setBundleAutoRenew(
  ctx: ServiceContext,
  input: Agreement & { readonly bundleInstanceId: number; readonly on: boolean },
): Promise<{ readonly bundleInstanceId: BundleInstanceId; readonly autoRenew: boolean }> {
  const resellerId = requireSpending(ctx, "bundles:write");
  const { on, agreedPrice } = input;
  const instance = await getOwnBundleInstance(ctx, resellerId, input.bundleInstanceId);
  const { id, version } = instance;
  if (agreedPrice !== undefined) {
    // An open renewal sets the agreed price when it settles.
    requireIdle(instance, ...instance.members);
    requireAgreedRenewal(await quoteOwnBundleRenewals(ctx, resellerId, instance, ctx.now()), agreedPrice);
  }
  if (on || agreedPrice !== undefined) requireUnlimitedSpending(ctx);
  const agreed =
    agreedPrice === undefined ? { agreedPrice: null, seenVersion: null } : { agreedPrice, seenVersion: version };
  if (!(await updateAutoRenew(writesOf(ctx), { kind: "bundle", id, resellerId, on, ...agreed }, changedBy(ctx)))) {
    if ((await getOwnBundleInstance(ctx, resellerId, id)).terminatedAt !== null)
      throw invalidState("terminated", "bundle");
    // Changed since it was read.
    return setBundleAutoRenew(ctx, input);
  }
  return { bundleInstanceId: id, autoRenew: on };
}
