import { notFound } from "next/navigation";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
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

/** The reseller that an admin looks at. `id`: as in the address. */
export async function requireReseller(id: string): Promise<LookedAtReseller> {
  const user = await requireAdminUser("admin:read");
  const resellerId = parsePositiveInteger(id) as ResellerId | null;
  if (resellerId === null) notFound();
  const ctx = contextOf(user, { forReseller: resellerId });
  return { ctx, reseller: await orNotFound(getReseller(ctx)), path: `/resellers/${resellerId}` };
}
