import { updateAutoRenew } from "#lib/db/renewal-events.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { BundleInstanceId } from "#lib/domain/ids.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { getOwnBundleInstance } from "./get.ts";

/**
 * Chooses whether a bundle instance renews by itself, with all its members, before its end (docs/money.md).
 * @throws DomainError `bundle_instance_not_found`, `state_invalid` (terminated).
 */
export async function setBundleAutoRenew(
  ctx: ServiceContext,
  input: { readonly bundleInstanceId: number; readonly on: boolean },
): Promise<{ readonly bundleInstanceId: BundleInstanceId; readonly autoRenew: boolean }> {
  const resellerId = requireReseller(ctx, "bundles:write");
  const { on } = input;
  const { id } = await getOwnBundleInstance(ctx, resellerId, input.bundleInstanceId);
  if (!(await updateAutoRenew(ctx.db, { kind: "bundle", id, resellerId, on }))) {
    throw new DomainError("state_invalid", "This bundle is terminated.", { details: { status: "terminated" } });
  }
  return { bundleInstanceId: id, autoRenew: on };
}
