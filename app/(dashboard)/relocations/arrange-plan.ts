import type { PlannedRelocation, PlannedUnit } from "#components/relocation/relocation.ts";
import { formatBundleInstanceId, formatLicenseId } from "#lib/domain/ids.ts";
import { type LicenseAddress, parseLicenseAddress } from "#lib/domain/license-address.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import type { RelocationPlan, RelocationUnit } from "#lib/services/relocation/plan.ts";

export interface AskedAddresses {
  /** As typed. */
  readonly from: string;
  readonly to: string;
  readonly problems: { readonly from: string | null; readonly to: string | null };
  /** Both, when a dry run can be made. */
  readonly addresses: { readonly from: LicenseAddress; readonly to: LicenseAddress } | null;
}

const MALFORMED = "Enter an IPv4 address such as 203.0.113.7.";

/** What the page's address asks for; one address alone is a form that is half filled in, not a mistake. */
export function readAddresses(from: string | null, to: string | null): AskedAddresses {
  const [old, target] = [from, to].map((text) => (text === null ? null : parseLicenseAddress(text)));
  const same = old != null && old === target;
  const problems = {
    from: from !== null && old === null ? MALFORMED : null,
    to: to !== null && target === null ? MALFORMED : same ? "Enter another address than the old one." : null,
  };
  const addresses = old && target && !same ? { from: old, to: target } : null;
  return { from: from ?? "", to: to ?? "", problems, addresses };
}

export function arrangePlan({ from, to, units }: RelocationPlan, now: Date): PlannedRelocation {
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

function toPlannedUnit(
  { bundleInstanceId, name, licenses, obstacle, ownBlockerIds }: RelocationUnit,
  now: Date,
): PlannedUnit {
  const [first] = licenses;
  if (first === undefined) throw new Error("a unit without licenses");
  const status = deriveLicenseStatus(first, now);
  const blockers = ownBlockerIds.map((id) => ({ id: formatLicenseId(id), href: `/licenses/${id}` }));
  const common = { name, status, obstacle, blockers };
  if (bundleInstanceId === null) {
    return { ...common, id: formatLicenseId(first.id), href: `/licenses/${first.id}`, members: [] };
  }
  const members = licenses.map(({ productName }) => productName);
  return { ...common, id: formatBundleInstanceId(bundleInstanceId), href: `/bundles/${bundleInstanceId}`, members };
}
