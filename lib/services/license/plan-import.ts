import { listProductOffers } from "#lib/db/catalog/offer.ts";
import { listTakenPlaces } from "#lib/db/operation/address-claim.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import {
  type ImportedRegistration,
  type ImportRow,
  readRegistrations,
  rejectRow,
  slotKey,
} from "#lib/domain/registration-import.ts";
import { requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { countAddressLookups } from "#lib/services/operation/address-lookup.ts";

export interface ImportInput {
  /** A CSV file of registrations (docs/import.md). */
  readonly text: string;
}

/** Dry run of an import; money in minor units of `currency`. */
export interface ImportPlan {
  /** All rows, in file order. */
  readonly rows: readonly ImportRow[];
  /** Rows without problems, in file order. */
  readonly registrations: readonly ImportedRegistration[];
  readonly total: bigint;
  readonly currency: Currency;
  /** Available balance. */
  readonly spendable: bigint;
  readonly ignoredColumns: readonly string[];
}

/**
 * Reads a file of registrations and returns the price or the problems of every row. Changes nothing.
 * @throws DomainError `parameters_invalid` (unreadable file), `rate_limited`
 *   (contract 1.12)
 */
export async function planLicenseImport(ctx: ServiceContext, input: ImportInput): Promise<ImportPlan> {
  const resellerId = requireResellerUser(ctx, "wallet:spend");
  return planOwnImport(ctx, resellerId, input);
}

/** The caller checks permissions. */
export async function planOwnImport(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { text }: ImportInput,
): Promise<ImportPlan> {
  const [offers, { currency, posted, held }] = await Promise.all([
    listProductOffers(ctx.db, resellerId),
    getWallet(ctx.db, resellerId),
  ]);
  const { rows: read, ignoredColumns } = readRegistrations(text, offers);
  const requested = read.flatMap(({ registration }) => registration ?? []);
  await countAddressLookups(ctx, resellerId);
  const found = await listTakenPlaces(ctx.db, resellerId, requested, ctx.now());
  const revealed = found.filter(({ isOwn }) => !isOwn).length;
  await countAddressLookups(ctx, resellerId, Math.max(0, revealed - 1));
  const taken = new Set(found.map(slotKey));
  const rows = read.map((row) =>
    row.registration && taken.has(slotKey(row.registration))
      ? rejectRow(row, "This address already has a live license of this product.")
      : row,
  );
  const registrations = rows.flatMap(({ registration }) => registration ?? []);
  const total = registrations.reduce((sum, { price }) => sum + price, 0n);
  return { rows, registrations, total, currency, spendable: posted - held, ignoredColumns };
}
