import type { AuditRecord, ChangedBy } from "#lib/db/audit/audit.ts";
import type { AuditAction, AuditChanges, AuditValue } from "#lib/domain/audit.ts";
import { actorName, type ServiceContext } from "#lib/services/context.ts";

export interface AuditedChange {
  readonly action: AuditAction;
  /** What it is done to, e.g. `provider:upstream`. */
  readonly subject: string;
  /** What that is called. */
  readonly label?: string;
  /** Whom it concerns; none unless told. */
  readonly resellerId?: number | null;
  readonly reason?: string;
  /** Only what may be shown: no secrets, no hashes; dates as text, money as decimal text. */
  readonly changes?: AuditChanges;
  /** What else is worth knowing, without secrets. */
  readonly data?: { readonly [key: string]: AuditValue };
}

/** The context's actor, now: for statements that write the audit entry of what they change. */
export function changedBy(ctx: ServiceContext): ChangedBy {
  return { actor: actorName(ctx), requestId: ctx.requestId, now: ctx.now() };
}

/** The entry of a change that the context's actor makes now: for `recordAudit`, in the same transaction. */
export function auditRecord(ctx: ServiceContext, change: AuditedChange): AuditRecord {
  const { action, subject, label = "", resellerId = null, reason = "", changes, data = {} } = change;
  return {
    actor: actorName(ctx),
    requestId: ctx.requestId,
    action,
    resellerId,
    subject,
    label,
    reason,
    data: changes === undefined ? data : { ...data, changes },
    at: ctx.now(),
  };
}
