import { isDomainError } from "#lib/domain/errors.ts";
import { isLive } from "#lib/domain/license-status.ts";
import type { BulkItem, BulkStep } from "#lib/services/bulk/kind.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { getBundleInstance } from "#lib/services/bundle/get.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { getLicense } from "#lib/services/license/get.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";
import type { RelocationParameters } from "./parameters.ts";

type Subject = Pick<BulkItem<unknown, unknown>, "licenseId" | "bundleInstanceId">;

/** A license reports its host name, or is renewed, between the look and the change: then it is looked at again. */
const MOST_LOOKS = 5;

/**
 * Moves one license or bundle of a relocation, unless somebody has moved or ended it meanwhile: what is not on `from` any
 * more is none of the relocation's business.
 * @throws DomainError those of `changeLicenseIp` and `changeBundleIp`.
 */
export async function moveUnit(
  ctx: ServiceContext,
  subject: Subject,
  addresses: RelocationParameters,
): Promise<BulkStep> {
  for (let look = 1; ; look++) {
    try {
      return await moveAsSeen(ctx, subject, addresses);
    } catch (error) {
      if (look === MOST_LOOKS || !isDomainError(error) || error.code !== "changed_meanwhile") throw error;
    }
  }
}

async function moveAsSeen(
  ctx: ServiceContext,
  subject: Subject,
  { from, to }: RelocationParameters,
): Promise<BulkStep> {
  const { licenseId, bundleInstanceId } = subject;
  const unit =
    bundleInstanceId === null
      ? await getLicense(ctx, { licenseId: licenseId ?? 0 })
      : await getBundleInstance(ctx, { bundleInstanceId });
  if (unit.ipAddress !== from) return skipped("moved", `It has been moved to ${unit.ipAddress} meanwhile.`);
  if (!isLive(unit, ctx.now())) return skipped("ended", "It has ended meanwhile.");
  const acting = { ...ctx, seenVersion: versionOf("members" in unit ? unit.members : [unit]) };
  const { operationId } =
    bundleInstanceId === null
      ? await changeLicenseIp(acting, { licenseId: licenseId ?? 0, newIp: to })
      : await changeBundleIp(acting, { bundleInstanceId, newIp: to });
  return { operationId };
}

function skipped(code: string, message: string): BulkStep {
  return { skipped: { code, message } };
}
