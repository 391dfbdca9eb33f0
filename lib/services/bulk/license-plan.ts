import { type LicenseSelection, listSelectedLicenses, type SelectedLicense } from "#lib/db/bulk/selection.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import { findBulkObstacle, type LicenseBulkChange } from "#lib/domain/bulk-license.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { compareRenewals } from "#lib/domain/renewal.ts";
import { isAdmin, type ServiceContext } from "#lib/services/context.ts";
import { type BulkPlan, toBulkPlan } from "./plan.ts";
import { tooManyItems } from "./start.ts";

export type { LicenseSelection } from "#lib/db/bulk/selection.ts";

export interface LicenseBulkInput {
  readonly change: LicenseBulkChange;
  readonly selection: LicenseSelection;
}

/**
 * The caller checks permissions. Renewals are in priority order (docs/money.md): earliest end first, then the cheaper, so
 * a low balance leaves out those that can wait.
 * @throws DomainError `state_invalid` (more than 10,000)
 */
export async function planLicenseBulk(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { change, selection }: LicenseBulkInput,
): Promise<BulkPlan> {
  const now = ctx.now();
  const page = { now, limit: MAX_BULK_ITEMS + 1 };
  const [licenses, wallet] = await Promise.all([
    listSelectedLicenses(ctx.db, resellerId, selection, page),
    getWallet(ctx.db, resellerId),
  ]);
  if (licenses.length > MAX_BULK_ITEMS) throw tooManyItems();
  const charges = change.kind === "renew";
  if (charges) licenses.sort((a, b) => compareRenewals(toRenewal(a), toRenewal(b)));
  const conditions = { now, asAdmin: isAdmin(ctx) };
  const planned = licenses.map((license) => ({
    target: { licenseId: license.id },
    obstacle: findBulkObstacle(change, license, conditions),
    charge: charges && license.price !== null ? { price: license.price, termEndsAt: license.expiresAt } : null,
  }));
  return toBulkPlan(planned, wallet);
}

function toRenewal({ id, expiresAt, price }: SelectedLicense) {
  return { kind: "license", id, dueAt: expiresAt, price } as const;
}
