import { listServerAlerts } from "#app/(dashboard)/overview/server-alerts.ts";
import { listVerificationAlerts } from "#app/(dashboard)/overview/verification-alerts.ts";
import { describeEvent, operationNames } from "#components/license/event-text.ts";
import type { NotificationLine } from "#components/notification/notification-list.tsx";
import type { Alert } from "#components/overview/alert.ts";
import { kindMeanings } from "#components/reconciliation/case-text.ts";
import { majorMoneyText, moneyText } from "#components/ui/money-text.ts";
import { topUpHref } from "#components/wallet/top-up-href.ts";
import { endpointHref } from "#components/webhook/describe-endpoint.ts";
import { type Currency, parseMajor } from "#lib/domain/money.ts";
import { type CaseKind, caseKindNames } from "#lib/domain/reconciliation.ts";
import type { Notification, NotificationRow } from "#lib/services/notification/list.ts";

type Text = Omit<Alert, "id">;

/** The fact, and where to go about it. */
export function describeNotification(notification: Notification): NotificationLine {
  return { ...alertOf(notification), id: notification.id, at: notification.at, unread: notification.unread };
}

function alertOf(notification: Notification): Text {
  const [alert] =
    notification.kind === "verification.failing"
      ? listVerificationAlerts([notification.failing])
      : notification.kind === "server.critical"
        ? listServerAlerts({ critical: 1, caution: 0 }, [notification.server])
        : [textOf(notification)];
  if (alert === undefined) throw new Error(`${notification.kind} has no text`);
  return alert;
}

function textOf(row: NotificationRow): Text {
  const { kind, data } = row;
  switch (kind) {
    case "wallet.low_balance":
      return lowBalance(data);
    case "wallet.topped_up": {
      const title = `${majorMoneyText(data.amount, data.currency)} was added to the wallet`;
      return { tone: "info", title, detail: "It can be spent now.", action: "View wallet", href: "/wallet" };
    }
    case "top_up.declined": {
      const title = `The top-up of ${moneyText(String(data.amount), String(data.currency))} was declined`;
      const detail = String(data.note || "Nothing was added to the wallet.");
      return { tone: "caution", title, detail, action: "View top-ups", href: "/wallet/top-ups" };
    }
    case "license.renewal_failed": {
      const title = `${subjectOf(row)} was not renewed`;
      const reason = describeEvent(kind, data).detail ?? "The renewal failed";
      const next = data.requested
        ? "Nothing was charged. Renew it again."
        : "While auto-renew is on, it is retried until the term ends.";
      return { tone: "critical", title, detail: `${reason}. ${next}`, ...linkOf(row) };
    }
    case "license.registration_failed": {
      const title = `${subjectOf(row)} could not be registered`;
      const detail = "The provider rejected it. Nothing was charged.";
      return { tone: "critical", title, detail, action: "View licenses", href: "/licenses" };
    }
    case "operation.settled":
      return lateOutcome(row);
    case "webhook.disabled": {
      const title = `The webhook endpoint ${data.name} was disabled`;
      const detail = "It receives nothing until it is enabled again.";
      return { tone: "critical", title, detail, action: "View endpoint", href: endpointHref(Number(data.endpoint_id)) };
    }
    case "case.opened": {
      const of = data.kind as CaseKind;
      const title = `${caseKindNames[of]}: ${subjectOf(row)}`;
      const detail = [data.reseller, `${data.provider}: ${kindMeanings[of]}`].filter(Boolean).join(", ");
      return { tone: "critical", title, detail, action: "View case", href: `/reconciliation/${data.case_id}` };
    }
    case "top_up.requested": {
      const title = `${data.reseller} reports a payment of ${moneyText(String(data.amount), String(data.currency))}`;
      const detail = "Credit or decline it.";
      return { tone: "caution", title, detail, action: "View top-ups", href: "/top-ups" };
    }
    case "system.problems": {
      const [first = "Checks of the installation failed.", ...others] = data.problems as readonly string[];
      const detail = others.join(" ") || "The system page has more.";
      return { tone: "critical", title: first.replace(/\.$/, ""), detail, action: "View system", href: "/system" };
    }
    default:
      return kind satisfies never;
  }
}

function lowBalance({ balance, threshold, currency }: NotificationRow["data"]): Text {
  const left = parseMajor(String(balance), currency as Currency) ?? 0n;
  const wanted = parseMajor(String(threshold), currency as Currency) ?? 0n;
  return {
    tone: "caution",
    title: `The balance fell to ${majorMoneyText(balance, currency)}`,
    detail: `You set a warning below ${majorMoneyText(threshold, currency)}.`,
    action: "Top up",
    href: wanted > left ? topUpHref(wanted - left, currency as Currency) : "/wallet",
  };
}

function lateOutcome(row: NotificationRow): Text {
  const { operation, outcome } = row.data;
  const names: Readonly<Record<string, string>> = operationNames;
  const name = names[String(operation).replace(".", "_")] ?? "Change";
  const done = outcome === "succeeded";
  return {
    tone: done ? "info" : "caution",
    title: `${name} of ${subjectOf(row)} ${done ? "succeeded" : "was rejected"}`,
    detail: done
      ? "The provider has confirmed it, and it was charged."
      : "The provider did not carry it out. The held money was released.",
    ...linkOf(row),
  };
}

/** What it was about, also if it does not exist any more. */
export function subjectOf({ name, server, data }: NotificationRow): string {
  if (data.reference && !name) return String(data.reference);
  const product = name ?? "A bundle";
  const place = server ?? data.server;
  return place ? `${product} on ${place}` : String(product);
}

function linkOf({ licenseId, data }: NotificationRow) {
  if (licenseId !== null) return { action: "View license", href: `/licenses/${licenseId}` };
  if (data.bundle_instance_id) return { action: "View bundle", href: `/bundles/${data.bundle_instance_id}` };
  return { action: "View licenses", href: "/licenses" };
}
