import { formatBundleInstanceId, formatLicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import type { RelocationObstacle, RelocationPlan, RelocationUnit } from "#lib/services/relocation/plan.ts";

/** A dry run as the page shows it. */
export type PlannedRelocation = Readonly<ReturnType<typeof arrangePlan>>;

/** What keeps it from starting, what moves, what stays. */
export function arrangePlan({ from, to, units }: RelocationPlan, now: Date) {
  const planned = units.map((unit) => toPlannedUnit(unit, now));
  const clashing = planned.filter(({ obstacle }) => obstacle === "address_taken");
  const moving = planned.filter(({ obstacle }) => obstacle === null);
  const staying = planned.filter((unit) => !clashing.includes(unit) && !moving.includes(unit));
  return {
    from,
    to,
    units: [...clashing, ...moving, ...staying],
    movingCount: moving.length,
    stayingCount: staying.length,
    clashCount: clashing.length,
  };
}

/** What moves as one: a license, or a bundle with all its licenses. */
export type PlannedUnit = Readonly<ReturnType<typeof toPlannedUnit>>;

function toPlannedUnit({ bundleInstanceId, name, licenses, obstacle, ownBlockerIds }: RelocationUnit, now: Date) {
  const [first] = licenses;
  if (first === undefined) throw new Error("a unit without licenses");
  return {
    /** `lic_12`, or `bundle 3`. */
    id: bundleInstanceId === null ? formatLicenseId(first.id) : formatBundleInstanceId(bundleInstanceId),
    href: bundleInstanceId === null ? `/licenses/${first.id}` : `/bundles/${bundleInstanceId}`,
    name,
    status: deriveLicenseStatus(first, now),
    /** The products of a bundle; empty for a license of its own. */
    members: bundleInstanceId === null ? [] : licenses.map(({ productName }) => productName),
    /** Null: it moves. */
    obstacle,
    /** Those of the reseller's own licenses that are in its way on the new address. */
    blockers: ownBlockerIds.map((id) => ({ id: formatLicenseId(id), href: `/licenses/${id}` })),
  };
}

export const obstacleTexts = {
  expired: { label: "Stays", detail: "Expired. Renew it first if it is to move." },
  pending: { label: "Stays", detail: "The provider has not confirmed it yet." },
  busy: { label: "Stays", detail: "Another change of it is open: its page shows which." },
  address_taken: { label: "Clash", detail: "The new address already has a live license of this product." },
} as const satisfies Record<RelocationObstacle, { label: string; detail: string }>;
