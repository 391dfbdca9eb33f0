import { findConstraint } from "#lib/db/connection/errors.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId } from "#lib/domain/ids.ts";
import { startBulkJob } from "#lib/services/bulk/start.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { requireSeenVersion } from "#lib/services/operation/seen-version.ts";
import { getResellerCurrency } from "#lib/services/wallet/amount.ts";
import type { RelocationParameters } from "./parameters.ts";
import { planOwnRelocation, type RelocationObstacle, type RelocationUnit } from "./plan.ts";

/** Why it was left where it was, for the results. */
const leftOut = {
  expired: "Expired: it was left where it is. Renew it first.",
  pending: "Not yet confirmed by the provider: it was left where it is.",
  busy: "Another change of it was open: it was left where it is.",
} as const satisfies Record<Exclude<RelocationObstacle, "address_taken">, string>;

/**
 * Moves everything on one address to another in the background, all or nothing (docs/decisions/0012): a bulk job of the
 * kind `relocate`. What the plan says does not move is left where it is.
 * @throws DomainError `permission_denied`, `parameters_invalid`, `changed_meanwhile` (not as in the plan that was seen),
 *   `state_invalid` (nothing to move, or another relocation of one of the addresses has not ended),
 *   `ip_change_address_taken`.
 */
export async function startRelocation(ctx: ServiceContext, input: RelocationParameters): Promise<BulkJobId> {
  const resellerId = requireResellerUser(ctx);
  const { from, to } = input;
  const { units } = await planOwnRelocation(ctx, resellerId, input);
  requireSeenVersion(ctx, seenLicenses(units), `What is on ${from}`);
  if (units.some(({ obstacle }) => obstacle === "address_taken")) throw addressTaken(to);
  if (units.every(({ obstacle }) => obstacle !== null)) {
    throw new DomainError("state_invalid", `There is nothing on ${from} that could be moved.`);
  }
  const start = {
    kind: "relocate",
    parameters: { from, to },
    items: units.map(toItem),
    quotedTotal: 0n,
    currency: await getResellerCurrency(ctx, resellerId),
  } as const;
  return startBulkJob(ctx, resellerId, start).catch((error) => {
    if (findConstraint(error) === "relocation_addresses_pkey") throw alreadyRunning(from, to);
    throw error;
  });
}

/** All that a plan is about, whose `versionOf` says which plan was seen. */
export function seenLicenses(units: readonly RelocationUnit[]) {
  return units.flatMap(({ licenses }) => licenses);
}

function toItem({ bundleInstanceId, licenses, obstacle }: RelocationUnit) {
  const subject = bundleInstanceId === null ? { licenseId: licenses[0]?.id ?? 0 } : { bundleInstanceId };
  if (obstacle === null || obstacle === "address_taken") return subject;
  return { ...subject, skipped: { code: obstacle, message: leftOut[obstacle] } };
}

function addressTaken(to: string): DomainError {
  const message = `${to} already has a live license of one of these products.`;
  return new DomainError("ip_change_address_taken", message, { details: { to: message } });
}

function alreadyRunning(from: string, to: string): DomainError {
  return new DomainError("state_invalid", `Another relocation of ${from} or ${to} has not ended yet. Wait for it.`);
}
