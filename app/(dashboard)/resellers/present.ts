import type { ResellerListRow } from "#components/reseller/reseller-table.tsx";
import type { ResellerRow } from "#lib/services/reseller/search.ts";

export function presentReseller(reseller: ResellerRow): ResellerListRow {
  return {
    id: String(reseller.resellerId),
    href: `/resellers/${reseller.resellerId}`,
    name: reseller.name,
    email: reseller.email,
    currency: reseller.currency,
    spendable: (reseller.posted - reseller.held).toString(),
    held: reseller.held.toString(),
    suspended: reseller.suspendedAt !== null,
    createdAt: reseller.createdAt.toISOString(),
  };
}
