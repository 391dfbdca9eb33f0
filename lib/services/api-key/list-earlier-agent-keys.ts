import { type EarlierKeyRow, listEarlierKeyRows } from "#lib/db/api-key/bound-keys.ts";
import { listBulkItems } from "#lib/db/bulk/item.ts";
import type { BulkJobId, LicenseId } from "#lib/domain/ids.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";

/** The most licenses for which a job shows install commands. */
const MAX_LICENSES = 500;

/**
 * Live keys that a newer one of the same license is to replace: until they are revoked, they still verify.
 * `jobId`: of the licenses that the job registered.
 */
export async function listEarlierAgentKeys(
  ctx: ServiceContext,
  of: { readonly licenseIds: readonly LicenseId[] } | { readonly jobId: BulkJobId },
): Promise<readonly EarlierKeyRow[]> {
  const resellerId = requireResellerUser(ctx, "keys:write");
  const page = { states: ["succeeded"], after: 0, limit: MAX_LICENSES } as const;
  const licenseIds =
    "jobId" in of
      ? (await listBulkItems(ctx.db, resellerId, of.jobId, page)).flatMap(({ licenseId }) => licenseId ?? [])
      : of.licenseIds;
  return listEarlierKeyRows(ctx.db, resellerId, licenseIds, ctx.now());
}
