import type { RenewableRow } from "#lib/db/renewal/renewable.ts";
import { bundleRenewalPrice, type CoreMetering, renewalPrice } from "#lib/domain/pricing.ts";
import type { RenewableTerm } from "#lib/domain/renewal.ts";

/** Adds today's renewal price in minor units, by the same rules as the renewal itself. */
export function priceRenewable(row: RenewableRow): RenewableRow & RenewableTerm {
  return { ...row, price: row.price === null ? null : priceOf(row, row.price) };
}

function priceOf({ kind, metering }: RenewableRow, price: bigint): bigint | null {
  switch (kind) {
    case "license":
      return renewalPrice({ price, cores: null, pricePerCore: null, ...metering[0] });
    case "bundle":
      return priceOfBundle(price, metering);
    default:
      return kind satisfies never;
  }
}

/** Null: a member has additional cores without a price for as many months, so the bundle cannot renew. */
export function priceOfBundle(price: bigint, metering: readonly CoreMetering[]): bigint | null {
  if (metering.some(({ cores, pricePerCore }) => (cores ?? 1) > 1 && pricePerCore === null)) return null;
  return bundleRenewalPrice({ price, members: metering });
}
