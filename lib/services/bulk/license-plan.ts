import { type LicenseSelection, listSelectedLicenses, type SelectedLicense } from "#lib/db/bulk-selection.ts";
import { getWallet } from "#lib/db/wallet.ts";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import { type BulkObstacle, findBulkObstacle, type LicenseBulkChange } from "#lib/domain/bulk-license.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { compareRenewals } from "#lib/domain/renewal.ts";
import { isAdmin, type ServiceContext } from "#lib/services/context.ts";
import { tooMany } from "./start.ts";

export type { LicenseSelection } from "#lib/db/bulk-selection.ts";

export interface LicenseBulkInput {
  readonly change: LicenseBulkChange;
  readonly selection: LicenseSelection;
}

/** Every selected license, in the order in which they are done; money in minor units of `currency`. */
export interface LicenseBulkPlan {
  readonly planned: readonly { readonly license: SelectedLicense; readonly obstacle: BulkObstacle | null }[];
  readonly total: bigint;
  readonly spendable: bigint;
  readonly currency: Currency;
  /** How many of those that nothing stands in the way of the balance pays for, in their order. */
  readonly affordableCount: number;
}

/**
 * For services that have checked their own permission. Renewals are in the stated priority (docs/money.md): the earliest
 * end first, then the cheaper; so what a low balance leaves out is what can wait.
 * @throws DomainError `state_invalid` (more than 10,000).
 */
export async function planLicenseBulk(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { change, selection }: LicenseBulkInput,
): Promise<LicenseBulkPlan> {
  const now = ctx.now();
  const page = { now, limit: MAX_BULK_ITEMS + 1 };
  const [licenses, wallet] = await Promise.all([
    listSelectedLicenses(ctx.db, resellerId, selection, page),
    getWallet(ctx.db, resellerId),
  ]);
  if (licenses.length > MAX_BULK_ITEMS) throw tooMany();
  const charges = change.kind === "renew";
  if (charges) licenses.sort((a, b) => compareRenewals(asRenewal(a), asRenewal(b)));
  const asked = { now, asAdmin: isAdmin(ctx) };
  const planned = licenses.map((license) => ({ license, obstacle: findBulkObstacle(change, license, asked) }));
  const spendable = wallet.posted - wallet.held;
  let total = 0n;
  let left = spendable;
  let affordableCount = 0;
  for (const { license, obstacle } of planned) {
    if (obstacle !== null) continue;
    const price = charges ? (license.price ?? 0n) : 0n;
    total += price;
    if (price > left) continue;
    left -= price;
    affordableCount += 1;
  }
  return { planned, total, spendable, currency: wallet.currency, affordableCount };
}

function asRenewal({ id, expiresAt, price }: SelectedLicense) {
  return { kind: "license", id, dueAt: expiresAt, price } as const;
}
