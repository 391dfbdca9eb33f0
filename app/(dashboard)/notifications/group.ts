import type { NotificationEntry } from "#components/notification/notification-list.tsx";
import type { Alert } from "#components/overview/alert.ts";
import { caseListHref } from "#components/reconciliation/case-params.ts";
import { countText } from "#lib/domain/count-text.ts";
import type { CaseKind } from "#lib/domain/reconciliation.ts";
import type { Notification } from "#lib/services/notification/list.ts";
import { describeNotification, subjectOf } from "./describe.ts";

/** Fewer alike are shown one by one. */
const GROUPED_FROM = 3;

/** In the order given; those that one list answers are one entry, where the first of them is. */
export function groupNotifications(notifications: readonly Notification[]): readonly NotificationEntry[] {
  const groups = Map.groupBy(notifications, groupOf);
  return [...groups].flatMap(([key, alike]): readonly NotificationEntry[] => {
    const lines = alike.map(describeNotification);
    const [newest] = lines;
    const [first] = alike;
    const text = first && alike.length >= GROUPED_FROM ? textOf(first, alike) : null;
    if (text === null || newest === undefined) return lines;
    const unread = lines.filter((line) => line.unread).length;
    const name = first?.kind === "case.opened" ? subjectOf(first) : newest.title;
    const detail = `${name}, and ${lines.length - 1} more`;
    return [{ ...text, id: key, tone: newest.tone, detail, at: newest.at, unread, lines }];
  });
}

const caseCounts = {
  unknown_outcome: ["change has an unknown outcome", "changes have an unknown outcome"],
  charged_not_provisioned: ["license was charged but not provisioned", "licenses were charged but not provisioned"],
  provisioned_not_charged: ["license was provisioned but not charged", "licenses were provisioned but not charged"],
  unknown_at_ours: ["license is not in License Desk", "licenses are not in License Desk"],
  late_success: ["change was completed late", "changes were completed late"],
  differs: ["license differs from the provider", "licenses differ from the provider"],
} as const satisfies Record<CaseKind, readonly [one: string, many: string]>;

function groupOf(notification: Notification): string {
  const { kind, id } = notification;
  if (notification.kind === "case.opened") return `${kind} ${notification.data.kind}`;
  // The list has only failures of auto-renew.
  if (notification.kind === "license.renewal_failed") return notification.data.requested ? id : kind;
  return kind === "top_up.requested" || kind === "server.critical" ? kind : id;
}

function textOf(first: Notification, alike: readonly Notification[]): Pick<Alert, "title" | "action" | "href"> | null {
  const count = alike.length;
  switch (first.kind) {
    case "top_up.requested":
      return {
        title: `${countText(count, "top-up")} to credit or decline`,
        action: "View top-ups",
        href: "/top-ups",
      };
    case "case.opened": {
      const kind = first.data.kind as CaseKind;
      const href = caseListHref("/reconciliation", { kind });
      const [one, many] = caseCounts[kind];
      return { title: countText(count, one, many), action: "View cases", href };
    }
    case "server.critical":
      return {
        title: countText(count, "server has problems", "servers have problems"),
        action: "View servers",
        href: "/diagnostics",
      };
    case "license.renewal_failed":
      return {
        title: countText(countLicenses(alike), "license was not renewed", "licenses were not renewed"),
        action: "View licenses",
        href: "/licenses?renewal=failed",
      };
    default:
      return null;
  }
}

/** A license can fail for several reasons. */
function countLicenses(alike: readonly Notification[]): number {
  return new Set(alike.map((one) => ("licenseId" in one && one.licenseId) || one.id)).size;
}
