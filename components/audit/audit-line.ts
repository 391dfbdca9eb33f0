import { auditActions } from "#lib/domain/audit.ts";
import type { AuditRow } from "#lib/services/audit/list.ts";
import { AUDIT_PATH, auditHref } from "./audit-params.ts";
import { valueText, wordsOf } from "./audit-text.ts";

const subjectNames: Readonly<Record<string, string>> = {
  action: "Action",
  api_key: "API key",
  bulk_job: "Job",
  bundle: "Bundle",
  bundle_instance: "Bundle",
  case: "Case",
  license: "License",
  operation: "Operation",
  permission: "Permission",
  product: "Product",
  provider: "Provider",
  reseller: "Reseller",
  top_up_request: "Top-up request",
  user: "User",
  wallet: "Wallet",
  webhook_endpoint: "Webhook endpoint",
};

const systemActors: Readonly<Record<string, string>> = {
  "system:operator": "The command line",
  "system:visitor": "A visitor",
  "system:worker": "License Desk",
};

/** Who did what to whom, as the page shows it. */
export type AuditLine = Readonly<ReturnType<typeof describeEntry>>;

export function describeEntry(row: AuditRow) {
  const { changes, facts } = describeData(row);
  return {
    id: String(row.id),
    at: row.at,
    /** A name, or `system:worker`. */
    who: row.actorName ?? systemActors[row.actor] ?? row.actor,
    /** `user:7`, or `administrator`. */
    actor: row.actor,
    /** The log, of this actor alone; null for an administrator in a reseller's log. */
    whoHref: row.actor.includes(":") ? auditHref(AUDIT_PATH, { actor: row.actor }) : null,
    actingAs: row.actingAsName,
    /** Where the request came from; empty: not known, or an administrator's in a reseller's log. */
    address: row.address,
    /** The log, of this address alone; null without one. */
    addressHref: row.address === "" ? null : auditHref(AUDIT_PATH, { address: row.address }),
    what: Object.hasOwn(auditActions, row.action) ? auditActions[row.action as keyof typeof auditActions] : row.action,
    /** `wallet.adjust`. */
    action: row.action,
    /** What it was done to: "API key 3", and what that was called. */
    subject: subjectText(row.subject),
    subjectName: row.subjectLabel,
    /** The log, of this subject alone. */
    subjectHref: auditHref(AUDIT_PATH, { subject: row.subject }),
    reseller:
      row.resellerId === null
        ? null
        : { name: row.resellerName ?? `Reseller ${row.resellerId}`, href: `/resellers/${row.resellerId}` },
    reason: row.reason,
    changes,
    facts,
    requestId: row.requestId,
  };
}

/** `api_key:3` → "API key 3". */
function subjectText(subject: string): string {
  const [type = "", ...rest] = subject.split(":");
  return `${subjectNames[type] ?? type} ${rest.join(":")}`.trim();
}

function describeData({ action, data: { changes = {}, ...data }, resellerCurrency }: AuditRow) {
  const changed = Object.entries(changes ?? {}) as [string, { before?: unknown; after?: unknown }][];
  const currency = typeof data.currency === "string" ? data.currency : resellerCurrency;
  const textOf = (field: string, value: unknown) => valueText(value, { action, field, currency });
  return {
    changes: changed.map(([field, { before, after }]) => ({
      field: wordsOf(field),
      before: textOf(field, before),
      after: textOf(field, after),
    })),
    facts: Object.entries(data)
      .filter(([field, value]) => value !== null && value !== "" && !(field === "currency" && "amount" in data))
      .map(([field, value]) => ({ term: wordsOf(field), value: textOf(field, value) })),
  };
}
