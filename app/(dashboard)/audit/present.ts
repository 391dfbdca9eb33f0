import { hrefOf } from "#app/search-params.ts";
import type { AuditLine } from "#components/audit/audit.ts";
import { auditActions } from "#lib/domain/audit.ts";
import type { AuditRow } from "#lib/services/audit/list.ts";
import { AUDIT_PATH } from "./view.ts";

const subjectNames: Readonly<Record<string, string>> = {
  api_key: "API key",
  bulk_job: "Bulk change",
  bundle: "Bundle",
  case: "Case",
  license: "License",
  operation: "Operation",
  product: "Product",
  provider: "Provider",
  reseller: "Reseller",
  top_up_request: "Top-up request",
  user: "User",
  wallet: "Wallet",
  webhook_endpoint: "Webhook endpoint",
};

export function presentAuditLine(row: AuditRow): AuditLine {
  const { changes, facts } = presentData(row.data);
  return {
    id: String(row.id),
    at: row.at.toISOString(),
    who: row.actorName ?? row.actor,
    actor: row.actor,
    whoHref: hrefOf(AUDIT_PATH, { actor: row.actor }),
    actingAs: row.actingAsName,
    what: Object.hasOwn(auditActions, row.action) ? auditActions[row.action as keyof typeof auditActions] : row.action,
    action: row.action,
    subject: presentSubject(row.subject),
    subjectName: row.subjectLabel,
    subjectHref: hrefOf(AUDIT_PATH, { subject: row.subject }),
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
function presentSubject(subject: string): string {
  const [type = "", ...rest] = subject.split(":");
  return `${subjectNames[type] ?? type} ${rest.join(":")}`.trim();
}

function presentData({ changes = {}, ...data }: AuditRow["data"]): Pick<AuditLine, "changes" | "facts"> {
  const changed = Object.entries(changes ?? {}) as [string, { before?: unknown; after?: unknown }][];
  return {
    changes: changed.map(([field, { before, after }]) => ({
      field: wordsOf(field),
      before: textOf(before),
      after: textOf(after),
    })),
    facts: Object.entries(data).map(([term, value]) => ({ term: wordsOf(term), value: textOf(value) })),
  };
}

/** `renewAheadDays`, `old_expires_at` → "renew ahead days", "old expires at". */
function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(textOf).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
