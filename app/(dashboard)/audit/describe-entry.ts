import type { AuditLine } from "#components/audit/audit.ts";
import { AUDIT_PATH, auditHref } from "#components/audit/audit-params.ts";
import { valueText, wordsOf } from "#components/audit/audit-text.ts";
import { auditActions } from "#lib/domain/audit.ts";
import type { AuditRow } from "#lib/services/audit/list.ts";

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

export function describeEntry(row: AuditRow): AuditLine {
  const { changes, facts } = describeData(row);
  return {
    id: String(row.id),
    at: row.at,
    who: row.actorName ?? systemActors[row.actor] ?? row.actor,
    actor: row.actor,
    whoHref: row.actor.includes(":") ? auditHref(AUDIT_PATH, { actor: row.actor }) : null,
    actingAs: row.actingAsName,
    address: row.address,
    addressHref: row.address === "" ? null : auditHref(AUDIT_PATH, { address: row.address }),
    what: Object.hasOwn(auditActions, row.action) ? auditActions[row.action as keyof typeof auditActions] : row.action,
    action: row.action,
    subject: subjectText(row.subject),
    subjectName: row.subjectLabel,
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
