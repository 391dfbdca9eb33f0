import { findConstraint } from "#lib/db/connection/errors.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { BulkJobId } from "#lib/domain/ids.ts";
import { startBulkJob } from "#lib/services/bulk/start.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { requireSeenVersion } from "#lib/services/operation/seen-version.ts";
import { getResellerCurrency } from "#lib/services/wallet/amount.ts";
import type { RelocationParameters } from "./parameters.ts";
import { planOwnRelocation, type RelocationObstacle, type RelocationUnit } from "./plan.ts";

const skipMessages = {
  expired: "Not moved: it has expired. Renew it first.",
  pending: "Not moved: the provider has not confirmed it yet.",
  busy: "Not moved: another operation on it was open.",
} as const satisfies Record<Exclude<RelocationObstacle, "address_taken">, string>;

/**
 * Starts a `relocate` job that moves everything on one address to another, all or nothing (docs/decisions/0019). Units
 * with obstacles are skipped.
 * @throws DomainError `parameters_invalid`, `changed_meanwhile` (not the plan that the caller saw),
 *   `state_invalid` (nothing to move, or another relocation of one of the addresses is running),
 *   `ip_change_address_taken`.
 */
export async function startRelocation(ctx: ServiceContext, input: RelocationParameters): Promise<BulkJobId> {
  const resellerId = requireResellerUser(ctx, "licenses:write");
  const { from, to } = input;
  const { units } = await planOwnRelocation(ctx, resellerId, input);
  requireSeenVersion(ctx, listPlannedLicenses(units), `What is on ${from}`);
  if (units.some(({ obstacle }) => obstacle === "address_taken")) throw addressTaken(to);
  if (units.every(({ obstacle }) => obstacle !== null)) {
    throw new DomainError("state_invalid", `Nothing on ${from} can be moved.`);
  }
  const start = {
    kind: "relocate",
    parameters: { from, to },
    items: units.map(toItem),
    quotedTotal: 0n,
    currency: await getResellerCurrency(ctx, resellerId),
  } as const;
  return startBulkJob(ctx, resellerId, start).catch((error) => {
    if (findConstraint(error) === "relocation_addresses_pkey") throw relocationRunning(from, to);
    throw error;
  });
}

/** All licenses of a plan; their `versionOf` is the plan's version. */
export function listPlannedLicenses(units: readonly RelocationUnit[]) {
  return units.flatMap(({ licenses }) => licenses);
}

function toItem({ bundleInstanceId, licenses, obstacle }: RelocationUnit) {
  const subject = bundleInstanceId === null ? { licenseId: licenses[0]?.id ?? 0 } : { bundleInstanceId };
  if (obstacle === null || obstacle === "address_taken") return subject;
  return { ...subject, skipped: { code: obstacle, message: skipMessages[obstacle] } };
}

function addressTaken(to: string): DomainError {
  const message = `${to} already has a live license of one of these products.`;
  return new DomainError("ip_change_address_taken", message, { details: { to: message } });
}

function relocationRunning(from: string, to: string): DomainError {
  return new DomainError(
    "state_invalid",
    `Another relocation of ${from} or ${to} is running. Wait until it has ended.`,
  );
}
