import { notFound } from "next/navigation";
import { cache } from "react";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { getReseller, type ResellerDetails } from "#lib/services/reseller/get.ts";

export interface LookedAtReseller {
  /** Of the admin who looks at it. */
  readonly ctx: ServiceContext;
  readonly reseller: ResellerDetails;
  /** Of its page; its other pages are below it. */
  readonly path: string;
}

/**
 * The reseller that an admin looks at, asked of the database once a request.
 * @param id as in the address; what is no reseller is not found
 */
export const requireReseller = cache(async (id: string): Promise<LookedAtReseller> => {
  const user = await requireAdminUser();
  const resellerId = parsePositiveInteger(id) as ResellerId | null;
  if (resellerId === null) notFound();
  const ctx = contextOf(user, { forReseller: resellerId });
  const reseller = await getReseller(ctx).catch((error: unknown) => {
    if (isDomainError(error) && error.code === "not_found") notFound();
    throw error;
  });
  return { ctx, reseller, path: `/resellers/${resellerId}` };
});
