import type { LicenseStatus } from "#lib/domain/license-status.ts";
import type { RelocationObstacle } from "#lib/services/relocation/plan.ts";

/** What moves as one, as the dry run shows it: a license, or a bundle with all its licenses. */
export interface PlannedUnit {
  /** `lic_12`, or `bundle 3`. */
  readonly id: string;
  readonly href: string;
  readonly name: string;
  readonly status: LicenseStatus;
  /** The products of a bundle; empty for a license of its own. */
  readonly members: readonly string[];
  /** Null: it moves. */
  readonly obstacle: RelocationObstacle | null;
  /** Those of the reseller's own licenses that are in its way on the new address. */
  readonly blockers: readonly { readonly id: string; readonly href: string }[];
}

export interface PlannedRelocation {
  readonly from: string;
  readonly to: string;
  /** What keeps it from starting, what moves, what stays. */
  readonly units: readonly PlannedUnit[];
  readonly movingCount: number;
  readonly stayingCount: number;
  readonly clashCount: number;
}

export interface RelocationInput {
  /** The private address that is meant; empty until that was asked. */
  readonly meant_address: string;
}

export interface RelocationStarted {
  readonly jobId: number;
}

export const obstacleTexts = {
  expired: { label: "Stays", detail: "Expired. Renew it first if it is to move." },
  pending: { label: "Stays", detail: "The provider has not confirmed it yet." },
  busy: { label: "Stays", detail: "Another change of it is open." },
  address_taken: { label: "Clash", detail: "The new address already has a live license of this product." },
} as const satisfies Record<RelocationObstacle, { label: string; detail: string }>;
