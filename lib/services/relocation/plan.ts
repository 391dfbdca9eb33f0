import { findLicensesByAddress, type LicenseRow } from "#lib/db/license/license.ts";
import { listClashingLicenses } from "#lib/db/relocation/clash.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import type { BundleInstanceId, LicenseId, ResellerId } from "#lib/domain/ids.ts";
import { getOwnBundleInstance } from "#lib/services/bundle/get.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { countAddressLookups } from "#lib/services/operation/address-lookup.ts";
import type { RelocationParameters } from "./parameters.ts";

/** Why a unit does not move. `address_taken` rejects the whole relocation, which would be undone. */
export type RelocationObstacle = "expired" | "pending" | "busy" | "address_taken";

/** Moves as a whole: a license, or a bundle with all its members. */
export interface RelocationUnit {
  /** Null for a single license. */
  readonly bundleInstanceId: BundleInstanceId | null;
  /** The product's name, or the bundle's. */
  readonly name: string;
  /** In the bundle's order. */
  readonly licenses: readonly LicenseRow[];
  /** Null if it moves. */
  readonly obstacle: RelocationObstacle | null;
  /** With `address_taken`: the reseller's own licenses on the new address. Other resellers' are not revealed. */
  readonly ownBlockerIds: readonly LicenseId[];
}

export interface RelocationPlan extends RelocationParameters {
  /** In the order of their registration. */
  readonly units: readonly RelocationUnit[];
}

const MAX_LICENSES_ON_ADDRESS = 1_000;

/**
 * Dry run of a relocation: all of the reseller's licenses on the address that are not terminated, with their obstacles.
 * Free of charge (contract 3.5).
 * @throws DomainError `parameters_invalid` (same address), `state_invalid` (too many licenses),
 *   `rate_limited` (contract 1.12).
 */
export async function planRelocation(ctx: ServiceContext, input: RelocationParameters): Promise<RelocationPlan> {
  const resellerId = requireResellerUser(ctx, "licenses:write");
  return planOwnRelocation(ctx, resellerId, input);
}

/** The caller checks permissions. */
export async function planOwnRelocation(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { from, to }: RelocationParameters,
): Promise<RelocationPlan> {
  if (from === to) throw malformed("to", "must be another address");
  const found = await findLicensesByAddress(ctx.db, resellerId, {
    ipAddress: from,
    type: null,
    limit: MAX_LICENSES_ON_ADDRESS + 1,
  });
  if (found.length > MAX_LICENSES_ON_ADDRESS) {
    throw new DomainError("state_invalid", `More than ${MAX_LICENSES_ON_ADDRESS} licenses are on this address.`);
  }
  const groups = Map.groupBy(found, ({ id, bundleInstanceId }) => bundleInstanceId ?? `license ${id}`);
  const units = await Promise.all([...groups.values()].map((licenses) => readUnit(ctx, resellerId, licenses)));
  const all = units.flatMap(({ licenses }) => licenses);
  await countAddressLookups(ctx, resellerId);
  const now = ctx.now();
  const clashes = await listClashingLicenses(ctx.db, resellerId, to, all, now);
  const blockers = new Map(clashes.map(({ id, ownBlockerId }) => [id, ownBlockerId]));
  return { from, to, units: units.map((unit) => toRelocationUnit(unit, blockers, now)) };
}

type Unit = Omit<RelocationUnit, "obstacle" | "ownBlockerIds">;
/** License id → the license in its way, null if another reseller's. */
type Blockers = ReadonlyMap<LicenseId, LicenseId | null>;

async function readUnit(ctx: ServiceContext, resellerId: ResellerId, licenses: readonly LicenseRow[]): Promise<Unit> {
  const { bundleInstanceId = null, productName = "" } = licenses[0] ?? {};
  if (bundleInstanceId === null) return { bundleInstanceId, name: productName, licenses };
  const { name, members } = await getOwnBundleInstance(ctx, resellerId, bundleInstanceId);
  return { bundleInstanceId, name, licenses: members };
}

function toRelocationUnit(unit: Unit, blockers: Blockers, now: Date): RelocationUnit {
  const obstacle = findObstacle(unit, blockers, now);
  const blockerIds = obstacle === "address_taken" ? unit.licenses.map(({ id }) => blockers.get(id) ?? null) : [];
  return { ...unit, obstacle, ownBlockerIds: blockerIds.filter((id) => id !== null) };
}

/** As for a single change of IP (docs/decisions/0003), except that expired licenses stay: suspended ones move. */
function findObstacle({ licenses }: Unit, blockers: Blockers, now: Date): RelocationObstacle | null {
  if (licenses.some(({ provisionedAt }) => provisionedAt === null)) return "pending";
  if (licenses.some(({ expiresAt }) => expiresAt <= now)) return "expired";
  if (licenses.some(({ openOperationId }) => openOperationId !== null)) return "busy";
  return licenses.some(({ id }) => blockers.has(id)) ? "address_taken" : null;
}
