import { findLicensesByAddress, type LicenseRow } from "#lib/db/license/license.ts";
import { listClashingLicenses } from "#lib/db/relocation/clash.ts";
import { DomainError, invalidParameters } from "#lib/domain/errors.ts";
import type { BundleInstanceId, LicenseId, ResellerId } from "#lib/domain/ids.ts";
import { getOwnBundleInstance } from "#lib/services/bundle/get.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { countAddressLookups } from "#lib/services/operation/address-lookup.ts";
import type { RelocationParameters } from "./parameters.ts";

/** Why it does not move. `address_taken` keeps the whole relocation from starting: it would be undone for certain. */
export type RelocationObstacle = "expired" | "pending" | "busy" | "address_taken";

/** What moves as one, or not at all: a license, or a bundle with all its members. */
export interface RelocationUnit {
  /** Null for a license of its own. */
  readonly bundleInstanceId: BundleInstanceId | null;
  /** The product's name, or the bundle's. */
  readonly name: string;
  /** In the bundle's order; one unless it is a bundle. */
  readonly licenses: readonly LicenseRow[];
  /** Null: it moves. */
  readonly obstacle: RelocationObstacle | null;
  /** Of `address_taken`: what the reseller itself has in its way. Of what others own, nothing is told. */
  readonly ownBlockerIds: readonly LicenseId[];
}

export interface RelocationPlan extends RelocationParameters {
  /** In the order of their registration. */
  readonly units: readonly RelocationUnit[];
}

const MOST_ON_ADDRESS = 1_000;

/**
 * What a relocation would do now, without doing any of it: all of the reseller's on the old address that is not
 * terminated, and what is in its way. Moving costs nothing (contract 3.5).
 * @throws DomainError `permission_denied`, `parameters_invalid` (one address twice), `state_invalid` (too many),
 *   `rate_limited` (contract 1.12).
 */
export async function planRelocation(ctx: ServiceContext, input: RelocationParameters): Promise<RelocationPlan> {
  const resellerId = requireResellerUser(ctx);
  return planOwnRelocation(ctx, resellerId, input);
}

/** For services that have checked their own permission. */
export async function planOwnRelocation(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { from, to }: RelocationParameters,
): Promise<RelocationPlan> {
  if (from === to) throw invalidParameters([{ field: "to", kind: "malformed", message: "must be another address" }]);
  const found = await findLicensesByAddress(ctx.db, resellerId, {
    ipAddress: from,
    type: null,
    limit: MOST_ON_ADDRESS + 1,
  });
  if (found.length > MOST_ON_ADDRESS) {
    throw new DomainError("state_invalid", `More than ${MOST_ON_ADDRESS} licenses are on this address.`);
  }
  const parts = Map.groupBy(found, ({ id, bundleInstanceId }) => bundleInstanceId ?? `license ${id}`);
  const units = await Promise.all([...parts.values()].map((licenses) => unitOf(ctx, resellerId, licenses)));
  const all = units.flatMap(({ licenses }) => licenses);
  await countAddressLookups(ctx, resellerId);
  const clashes = await listClashingLicenses(ctx.db, resellerId, to, all, ctx.now());
  const blockers = new Map(clashes.map(({ id, ownBlockerId }) => [id, ownBlockerId]));
  return { from, to, units: units.map((unit) => weighUnit(unit, blockers, ctx.now())) };
}

type Unit = Omit<RelocationUnit, "obstacle" | "ownBlockerIds">;
/** License id → what is in its way, null where that is somebody else's. */
type Blockers = ReadonlyMap<LicenseId, LicenseId | null>;

async function unitOf(ctx: ServiceContext, resellerId: ResellerId, licenses: readonly LicenseRow[]): Promise<Unit> {
  const { bundleInstanceId = null, productName = "" } = licenses[0] ?? {};
  if (bundleInstanceId === null) return { bundleInstanceId, name: productName, licenses };
  const { name, members } = await getOwnBundleInstance(ctx, resellerId, bundleInstanceId);
  return { bundleInstanceId, name, licenses: members };
}

function weighUnit(unit: Unit, blockers: Blockers, now: Date): RelocationUnit {
  const obstacle = obstacleOf(unit, blockers, now);
  const inTheWay = obstacle === "address_taken" ? unit.licenses.map(({ id }) => blockers.get(id) ?? null) : [];
  return { ...unit, obstacle, ownBlockerIds: inTheWay.filter((id) => id !== null) };
}

/** The same states as for a single change of address (docs/decisions/0003): suspended ones move. */
function obstacleOf({ licenses }: Unit, blockers: Blockers, now: Date): RelocationObstacle | null {
  if (licenses.some(({ provisionedAt }) => provisionedAt === null)) return "pending";
  if (licenses.some(({ expiresAt }) => expiresAt <= now)) return "expired";
  if (licenses.some(({ openOperationId }) => openOperationId !== null)) return "busy";
  return licenses.some(({ id }) => blockers.has(id)) ? "address_taken" : null;
}
