import { cache } from "react";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { type BundleInstance, getBundleInstance } from "#lib/services/bundle/get.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";

/** `id`: as in the address. */
export const findBundle = cache(async (id: string): Promise<BundleInstance> => {
  const ctx = contextOf(await requireResellerUser("bundles:read"));
  return orNotFound(getBundleInstance(ctx, { bundleInstanceId: parsePositiveInteger(id) ?? 0 }));
});

/** What a form of the bundle's page was filled in by. */
export function seenBundle({ id, members }: BundleInstance) {
  return { bundleInstanceId: id, seenVersion: versionOf(members) };
}
