import { type LicenseSelection, listSelectedLicenses, type SelectedLicense } from "#lib/db/bulk/selection.ts";
import { listProductOffers } from "#lib/db/catalog/offer.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import { findBulkObstacle, type LicenseBulkChange } from "#lib/domain/bulk-license.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { compareRenewals } from "#lib/domain/renewal.ts";
import { extendTerm } from "#lib/domain/term.ts";
import { isAdmin, type ServiceContext } from "#lib/services/context.ts";
import { type CycleLength, chooseCycle, listCycleLengths } from "./cycle-choice.ts";
import { type BulkPlan, toBulkPlan } from "./plan.ts";
import { tooManyItems } from "./start.ts";

export type { LicenseSelection } from "#lib/db/bulk/selection.ts";

export interface LicenseBulkInput {
  readonly change: LicenseBulkChange;
  readonly selection: LicenseSelection;
}

export interface LicenseBulkPlan extends BulkPlan {
  /** Other lengths to renew by. */
  readonly cycleLengths: readonly CycleLength[];
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
): Promise<LicenseBulkPlan> {
  const now = ctx.now();
  const page = { now, limit: MAX_BULK_ITEMS + 1 };
  const charges = change.kind === "renew";
  const [selected, wallet, offers] = await Promise.all([
    listSelectedLicenses(ctx.db, resellerId, selection, page),
    getWallet(ctx.db, resellerId),
    charges ? listProductOffers(ctx.db, resellerId) : [],
  ]);
  if (selected.length > MAX_BULK_ITEMS) throw tooManyItems();
  const conditions = { now, asAdmin: isAdmin(ctx) };
  const licenses = selected.map((license) => {
    const chosen = charges ? chooseCycle(license, change.months, offers) : { price: license.price };
    const obstacle = findBulkObstacle(change, { ...license, ...chosen }, conditions);
    return { license, chosen, obstacle, renewal: toRenewal(license, chosen.price) };
  });
  if (charges) licenses.sort((one, other) => compareRenewals(one.renewal, other.renewal));
  const planned = licenses.map(({ license, chosen: { cycleId, price }, obstacle }) => {
    const months = change.kind === "renew" ? (change.months ?? license.months) : null;
    return {
      target: { licenseId: license.id },
      name: license.productName,
      obstacle,
      charge: charges && price !== null ? { price, termEndsAt: license.expiresAt, cycleId } : null,
      newExpiry: months === null ? null : extendTerm(license, months, now).expiresAt,
    };
  });
  const renewable = licenses.filter(({ obstacle }) => obstacle === null || obstacle === "no_cycle");
  const cycleLengths = listCycleLengths(
    renewable.map(({ license }) => license),
    offers,
  );
  return { ...toBulkPlan(planned, wallet, charges), cycleLengths };
}

function toRenewal({ id, expiresAt }: SelectedLicense, price: bigint | null) {
  return { kind: "license", id, dueAt: expiresAt, price } as const;
}
