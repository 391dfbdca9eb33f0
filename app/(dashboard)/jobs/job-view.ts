import { createSerializer, parseAsString } from "nuqs/server";
import type {
  AwaitedOutcomes,
  BulkItemView,
  BulkJobView,
  BulkRetryView,
  PostponedReverts,
} from "#components/bulk/bulk-job.ts";
import { arrowText } from "#components/ui/arrow-text.ts";
import type { BulkKind } from "#lib/domain/bulk.ts";
import { countText } from "#lib/domain/count-text.ts";
import { formatLicenseId, formatUnitId } from "#lib/domain/ids.ts";
import { formatTags, type Labels } from "#lib/domain/labels.ts";
import type { BulkJob } from "#lib/services/bulk/get.ts";
import type { BulkItemRow } from "#lib/services/bulk/list-items.ts";
import type { BulkRetryQuote } from "#lib/services/bulk/quote-retry.ts";

/** @param retry null: it cannot be tried again, or that is not shown */
export function toJobView(job: BulkJob, retry: BulkRetryQuote | null): BulkJobView {
  return {
    id: job.id,
    reseller: { id: Number(job.resellerId), name: job.resellerName },
    kind: job.kind,
    detail: detailOf(job),
    state: job.state,
    paused: job.paused,
    waitsUntil: job.waitsUntil?.toISOString() ?? null,
    canceled: job.canceledAt !== null,
    allOrNothing: job.allOrNothing,
    mayChange: job.mayChange,
    counts: job.counts,
    quotedTotal: job.quotedTotal.toString(),
    chargedTotal: job.chargedTotal.toString(),
    retry: retry && toRetryView(retry),
    anewHref: anewHrefOf(job),
    notReverted: job.notReverted,
    postponed: postponedOf(job),
    awaited: awaitedOf(job),
    currency: job.currency,
    startedBy: job.userName ?? "A former user",
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
  };
}

function postponedOf(job: BulkJob): PostponedReverts | null {
  const { postponedReverts: count, postponedReason: reason, nextRevertAt, lastRevertAt } = job;
  if (count === 0 || nextRevertAt === null || lastRevertAt === null) return null;
  return { count, reason: reason ?? "", nextAt: nextRevertAt.toISOString(), lastAt: lastRevertAt.toISOString() };
}

function awaitedOf({ allOrNothing, awaited: count, awaitedSince }: BulkJob): AwaitedOutcomes | null {
  return allOrNothing && awaitedSince !== null ? { count, since: awaitedSince.toISOString() } : null;
}

function toRetryView({ count, total, cheapest }: BulkRetryQuote): BulkRetryView | null {
  return count === 0 ? null : { count, total: total.toString(), cheapest: cheapest?.toString() ?? null };
}

const relocationHref = createSerializer({ from: parseAsString, to: parseAsString });

function anewHrefOf({ kind, parameters }: BulkJob): string | null {
  if (kind !== "relocate") return null;
  const { from, to } = parameters as Record<"from" | "to", string>;
  return relocationHref("/relocations", { from, to });
}

function detailOf({ kind, parameters }: BulkJob): string {
  const { notes, reason, on, from, to, months, customerName, customerEmail, customerReference, tags } =
    parameters as Partial<
      Record<"notes" | "reason" | "from" | "to", string> & {
        readonly on: boolean;
        readonly months: number;
      } & Labels
    >;
  switch (kind) {
    case "set_customer":
      return customerName || customerEmail || customerReference || "Customer removed";
    case "add_tags":
    case "remove_tags":
      return formatTags(tags ?? []);
    case "set_notes":
      return notes === "" ? "Notes removed" : `“${notes}”`;
    case "suspend":
      return reason ?? "";
    case "set_auto_renew":
    case "set_bundle_auto_renew":
      return on ? "Switched on" : "Switched off";
    case "relocate":
      return arrowText(from ?? "", to ?? "");
    case "renew":
      return months === undefined ? "" : `Billing cycle: ${countText(months, "month")}`;
    case "renew_bundle":
    // Of a table, or of the addresses in a form.
    case "register":
    case "unsuspend":
    case "terminate":
    case "change_ip":
      return "";
    default:
      return kind satisfies never;
  }
}

export function toItemView(item: BulkItemRow, kind: BulkKind): BulkItemView {
  const { licenseId, bundleInstanceId, productName, hostname, ipAddress } = item;
  return {
    position: item.position,
    subject: productName ?? `Number ${item.position}`,
    id: formatUnitId(item),
    href: itemHrefOf(licenseId, bundleInstanceId),
    members: item.members.map(({ id, productName }) => ({
      id: formatLicenseId(id),
      name: productName,
      href: `/licenses/${id}`,
    })),
    // Where it is by now is what these jobs are about.
    server: (kind === "relocate" || kind === "change_ip" ? null : hostname) || ipAddress || "",
    state: item.state,
    notReverted: item.notReverted,
    // Until it ends, the page that the row leads to names the operation, its start and its money.
    message:
      item.errorCode === "operation_in_progress"
        ? `${item.errorMessage} Its page shows which while it runs.`
        : item.errorMessage,
    charged: item.chargedAmount.toString(),
  };
}

/** Null: there is nothing to look at, such as of a registration that was refused. */
function itemHrefOf(licenseId: number | null, bundleInstanceId: number | null): string | null {
  if (licenseId !== null) return `/licenses/${licenseId}`;
  return bundleInstanceId === null ? null : `/bundles/${bundleInstanceId}`;
}
