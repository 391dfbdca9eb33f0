import type { Alert } from "#components/overview/alert.ts";
import { openHref } from "#components/reseller/reseller-params.ts";
import { countText } from "#lib/domain/count-text.ts";
import type { Waiting } from "#lib/services/overview/waiting.ts";

/** What needs an admin, by its subject. */
export function listAdminAlerts({ topUps, cases, lowWallets, endpoints, sells }: Waiting): readonly Alert[] {
  const alerts: (Alert | false)[] = [
    cases > 0 && {
      id: "cases",
      tone: "critical",
      title: `${countText(cases, "reconciliation case", "reconciliation cases")} open`,
      detail: "Our books and a provider's differ, or an outcome is unknown.",
      action: "View cases",
      href: "/reconciliation",
    },
    !sells && {
      id: "nothing on sale",
      tone: "caution",
      title: "Nothing is on sale",
      detail: "Add a product and its price, so that resellers can register licenses.",
      action: "Open catalog",
      href: "/catalog",
    },
    topUps > 0 && {
      id: "top-ups",
      tone: "caution",
      title: `${countText(topUps, "top-up")} to credit or decline`,
      detail: "Resellers reported payments.",
      action: "View top-ups",
      href: "/top-ups",
    },
    lowWallets > 0 && {
      id: "low wallets",
      tone: "caution",
      title: `${countText(lowWallets, "wallet is", "wallets are")} low`,
      detail: "The available balance is below the reseller's own threshold.",
      action: "View resellers",
      href: "/resellers?low=true",
    },
    ...endpoints.map(
      ({ endpointId, resellerId, resellerName, url }): Alert => ({
        id: `endpoint ${endpointId}`,
        tone: "info",
        title: `${new URL(url).host} of ${resellerName} receives no events`,
        detail: "The webhook endpoint is disabled, or every attempt of the last hour failed.",
        action: "View endpoint",
        href: openHref(`/resellers/${resellerId}`, { open: `/webhooks/${endpointId}` }),
      }),
    ),
  ];
  return alerts.filter((alert) => alert !== false);
}
