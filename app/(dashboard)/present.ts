import type { PaletteItem } from "#components/shell/palette.ts";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import type { LicenseListItem } from "#lib/services/license/list.ts";
import type { Balance } from "#lib/services/wallet/balance.ts";

/** What can be spent, as the browser gets it. */
export function presentBalance({ spendable, currency, pendingCount, lowBalanceThreshold }: Balance): WalletBalance {
  const low = lowBalanceThreshold === null ? spendable <= 0n : spendable < lowBalanceThreshold;
  return { minor: spendable.toString(), currency, openHolds: pendingCount, low };
}

export function presentFoundLicense({ id, productName, hostname, ipAddress, key }: LicenseListItem): PaletteItem {
  return { href: `/licenses/${id}`, label: `${productName} on ${hostname || ipAddress}`, detail: key };
}
