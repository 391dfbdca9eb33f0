import { listRenewalFailureEvents, type RenewalFailureRow } from "#lib/db/renewal/event.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

/** Each reason why a license's term has not renewed automatically, newest first; none for another reseller's. */
export async function listRenewalFailures(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly termEndsAt: Date },
): Promise<readonly RenewalFailureRow[]> {
  const resellerId = requireReseller(ctx, "licenses:read");
  return listRenewalFailureEvents(ctx.db, resellerId, input.licenseId, input.termEndsAt);
}
