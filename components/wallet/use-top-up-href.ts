import { useViewedReseller } from "#components/shell/viewed-reseller.tsx";
import { topUpHref } from "./top-up-href.ts";

/** Where the wallet that is charged is topped up: by the reseller on request, by an admin on the reseller's page. */
export function useTopUpHref(minor: bigint, currency: string): string {
  const viewed = useViewedReseller();
  return viewed === null ? topUpHref(minor, currency) : `/resellers/${viewed.id}/wallet`;
}
