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

interface Move extends RelocationParameters {
  /** Undoes a relocation: also moves what has expired since. */
  readonly reverts?: true;
}

/** Retried if the license changes between reading and changing it, such as by a report or a renewal. */
const MAX_ATTEMPTS = 5;

/**
 * Moves one license or bundle of a relocation. Skips it if it has left `from` or ended since the start.
 * @throws DomainError of `changeLicenseIp` and `changeBundleIp`.
 */
export async function relocateUnit(ctx: ServiceContext, subject: Subject, move: Move): Promise<BulkStep> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryRelocate(ctx, subject, move);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isDomainError(error) || error.code !== "changed_meanwhile") throw error;
    }
  }
}

async function tryRelocate(ctx: ServiceContext, subject: Subject, { from, to, reverts }: Move): Promise<BulkStep> {
  const { licenseId, bundleInstanceId } = subject;
  const unit =
    bundleInstanceId === null
      ? await getLicense(ctx, { licenseId: licenseId ?? 0 })
      : await getBundleInstance(ctx, { bundleInstanceId });
  if (unit.ipAddress !== from) return skipped("moved", `It was moved to ${unit.ipAddress} meanwhile.`);
  const hasEnded = reverts ? unit.terminatedAt !== null : !isLive(unit, ctx.now());
  if (hasEnded) return skipped("ended", "It has ended meanwhile.");
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
