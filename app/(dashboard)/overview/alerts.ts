import type { Alert } from "#components/overview/alert.ts";
import { moneyText } from "#components/ui/money-text.ts";
import { topUpHref } from "#components/wallet/top-up-href.ts";
import { endpointHref } from "#components/webhook/describe-endpoint.ts";
import { numberText } from "#lib/domain/count-text.ts";
import type { RisenRenewal, WalletRunway } from "#lib/domain/runway.ts";
import type { ServerProblemCounts } from "#lib/services/diagnostics/count-problems.ts";
import type { Overview } from "#lib/services/overview/get.ts";
import type { Balance } from "#lib/services/wallet/balance.ts";
import type { WebhookEndpointView } from "#lib/services/webhook/endpoint.ts";
import { listServerAlerts, type WorstServer } from "./server-alerts.ts";
import { listVerificationAlerts } from "./verification-alerts.ts";

interface Sources {
  readonly alerts: Overview["alerts"];
  readonly failing: Overview["failingVerifications"];
  readonly balance: Balance;
  readonly runway: WalletRunway;
  readonly endpoints: readonly WebhookEndpointView[];
  readonly servers: ServerProblemCounts;
  /** Those with findings, the worst first. */
  readonly worstServers: readonly WorstServer[];
}

/** What needs attention, by its subject. */
export function listAlerts({
  alerts,
  failing,
  balance,
  runway,
  endpoints,
  servers,
  worstServers,
}: Sources): readonly Alert[] {
  return [
    ...ofLicenses(alerts),
    ...listVerificationAlerts(failing),
    ...ofPrices(runway),
    ...ofUnsold(runway),
    ...ofMoney(balance, runway),
    ...endpoints.flatMap(ofEndpoint),
    ...listServerAlerts(servers, worstServers),
    ...ofKeys(alerts),
    ...ofOperations(alerts),
  ];
}

function ofLicenses({
  failedRenewals,
  failedRenewalId,
  suspendedByAdmin,
  suspendedByAdminId,
  lapsing,
}: Overview["alerts"]): Alert[] {
  const alerts: Alert[] = [];
  if (failedRenewals > 0) {
    alerts.push({
      id: "failed renewals",
      tone: "critical",
      title: failedRenewals === 1 ? "An automatic renewal failed" : `${failedRenewals} automatic renewals failed`,
      detail: `While auto-renew is on, ${failedRenewals === 1 ? "it is" : "they are"} retried until the term ends. Renew manually, or top up if the balance was too low.`,
      action: failedRenewals === 1 ? "View license" : "View licenses",
      href: failedRenewals === 1 ? `/licenses/${failedRenewalId}` : "/licenses?renewal=failed",
    });
  }
  if (suspendedByAdmin > 0) {
    alerts.push({
      id: "suspended",
      tone: "critical",
      title: `${licenses(suspendedByAdmin)} suspended by an administrator`,
      detail: "Only an administrator can lift this. The reason is on the license's page.",
      action: suspendedByAdmin === 1 ? "View license" : "View licenses",
      href: suspendedByAdmin === 1 ? `/licenses/${suspendedByAdminId}` : "/licenses?status=suspended",
    });
  }
  if (lapsing > 0) {
    alerts.push({
      id: "lapsing",
      tone: "caution",
      title: `${licenses(lapsing)} will lapse within 7 days`,
      detail: `Automatic renewal is off. Renew manually, or ${lapsing === 1 ? "it expires" : "they expire"}.`,
      action: "View licenses",
      href: "/licenses?expires=7",
    });
  }
  return alerts;
}

function ofPrices({ risen, risenCount, blockedCount, currency }: WalletRunway): Alert[] {
  const alerts: Alert[] = [];
  const href = "/wallet#risen-prices";
  const rises = risenCount - blockedCount;
  if (blockedCount > 0) {
    alerts.push({
      id: "blocked prices",
      tone: "critical",
      title:
        blockedCount === 1
          ? `${riseText(
              risen.find(({ obstacle }) => obstacle !== null),
              currency,
            )}, above your limits`
          : `The prices of ${numberText(blockedCount)} automatic renewals are above your limits`,
      detail: `Renew manually at the new price, or change your limits. Otherwise ${blockedCount === 1 ? "it expires" : "the licenses expire"}.`,
      action: "View prices",
      href,
    });
  }
  if (rises > 0) {
    alerts.push({
      id: "risen prices",
      tone: "info",
      title:
        rises === 1
          ? riseText(
              risen.find(({ obstacle }) => obstacle === null),
              currency,
            )
          : `${numberText(rises)} automatic renewals will cost more`,
      detail: "The new price is charged when your notice period is over.",
      action: "View prices",
      href,
    });
  }
  return alerts;
}

function riseText(rise: RisenRenewal | undefined, currency: string): string {
  if (rise === undefined || rise.price === null) return "An automatic renewal will cost more";
  const before = rise.agreedPrice === null ? "" : `, up from ${moneyText(rise.agreedPrice, currency)}`;
  return `${rise.label} will cost ${moneyText(rise.price, currency)}${before}`;
}

function ofUnsold({ unsoldCount }: WalletRunway): Alert[] {
  if (unsoldCount === 0) return [];
  const isOne = unsoldCount === 1;
  return [
    {
      id: "unsold",
      tone: "caution",
      title: isOne
        ? "A coming renewal is no longer sold"
        : `${numberText(unsoldCount)} coming renewals are no longer sold`,
      detail: `Renew manually and choose another cycle. Otherwise ${isOne ? "it expires" : "they expire"}.`,
      action: "View runway",
      href: "/wallet",
    },
  ];
}

function ofMoney({ spendable, lowBalanceThreshold, currency }: Balance, runway: WalletRunway): Alert[] {
  const unpaid = runway.lapseCount - runway.unsoldCount;
  if (unpaid > 0) {
    const needed = runway.topUpNeeded.days90;
    const count = numberText(unpaid);
    return [
      {
        id: "runway",
        tone: "caution",
        title: `The balance cannot pay ${unpaid === 1 ? "a coming renewal" : `${count} coming renewals`}`,
        detail: `${moneyText(needed.toString(), currency)} more is needed for the next ${runway.horizonDays} days.`,
        action: needed > 0n ? "Request top-up" : "View runway",
        href: needed > 0n ? topUpHref(needed, currency) : "/wallet",
      },
    ];
  }
  if (lowBalanceThreshold === null || spendable >= lowBalanceThreshold) return [];
  const gap = lowBalanceThreshold - spendable;
  return [
    {
      id: "balance",
      tone: "caution",
      title: "The balance is low",
      detail: `It is ${moneyText(gap.toString(), currency)} below the ${moneyText(lowBalanceThreshold.toString(), currency)} that you set.`,
      action: "Request top-up",
      href: topUpHref(gap, currency),
    },
  ];
}

function ofEndpoint({ id, url, format, description, status, challengeError }: WebhookEndpointView): Alert[] {
  const name = description || new URL(url).host;
  const alert = { id: `endpoint ${id}`, action: "View endpoint", href: endpointHref(id) };
  if (status === "disabled") {
    const title = `The webhook endpoint ${name} is disabled`;
    const detail = "It failed for too long, and receives nothing until it is enabled again.";
    return [{ ...alert, tone: "critical", title, detail }];
  }
  const isChat = format !== "standard";
  if (status !== "pending" || (challengeError === null && !isChat)) return [];
  const title = `The webhook endpoint ${name} is not verified`;
  const reason = isChat ? "Its code has not been entered." : "It did not answer its challenge.";
  const detail = `${reason} Events are kept for the first 24 hours only.`;
  return [{ ...alert, tone: "caution", title, detail }];
}

function ofKeys({ endingKeys, endingKeyId }: Overview["alerts"]): Alert[] {
  if (endingKeys === 0) return [];
  const isOne = endingKeys === 1;
  return [
    {
      id: "keys",
      tone: "caution",
      title: isOne ? "An API key that is in use will end" : `${endingKeys} API keys that are in use will end`,
      detail: "It happens within 14 days. Give your programs a new key before.",
      action: isOne ? "View key" : "View keys",
      href: isOne ? `/api-keys/${endingKeyId}` : "/api-keys",
    },
  ];
}

function ofOperations({ unknown, waiting }: Overview["alerts"]): Alert[] {
  const alerts: Alert[] = [];
  if (unknown > 0) {
    alerts.push({
      id: "unknown",
      tone: "info",
      title:
        unknown === 1
          ? "Waiting for the provider to confirm a change"
          : `Waiting for providers to confirm ${unknown} changes`,
      detail: "The provider is asked until it answers. Its cost is held, and released if the provider refused it.",
      action: "View what is held",
      href: "/wallet",
    });
  }
  if (waiting > 0) {
    alerts.push({
      id: "waiting",
      tone: "info",
      title:
        waiting === 1
          ? "A change is taking longer than 10 minutes"
          : `${waiting} changes are taking longer than 10 minutes`,
      detail:
        waiting === 1
          ? "It continues on its own. Do not order it again."
          : "They continue on their own. Do not order them again.",
      action: "View what is held",
      href: "/wallet",
    });
  }
  return alerts;
}

function licenses(count: number): string {
  return count === 1 ? "One license" : `${numberText(count)} licenses`;
}
