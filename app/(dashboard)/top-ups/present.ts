import { presentTopUp } from "#app/(dashboard)/wallet/present.ts";
import type { DecidableTopUp } from "#components/reseller/top-up-decision.ts";
import type { TopUpRequestRow } from "#lib/services/wallet/list-top-up-requests.ts";

export function presentDecidable(request: TopUpRequestRow): DecidableTopUp {
  const { resellerId, resellerName, spendable } = request;
  return {
    ...presentTopUp(request),
    reseller: { name: resellerName, href: `/resellers/${resellerId}` },
    resellerName,
    spendable: spendable.toString(),
  };
}
