import type { AuditRecord, ChangedBy } from "#lib/db/audit/audit.ts";
import type { AuditAction, AuditChanges, AuditValue } from "#lib/domain/audit.ts";
import { actorName, requestName, type ServiceContext } from "#lib/services/context.ts";

export interface AuditedChange {
  readonly action: AuditAction;
  /** E.g. `provider:upstream`. */
  readonly subject: string;
  /** The subject's name. */
  readonly label?: string;
  /** Default: none. */
  readonly resellerId?: number | null;
  readonly reason?: string;
  /** No secrets and no hashes; dates as text, money as decimal text. */
  readonly changes?: AuditChanges;
  /** Further facts, without secrets. */
  readonly data?: { readonly [key: string]: AuditValue };
}

/** The context's actor, for statements that write their own audit entry. */
export function changedBy(ctx: ServiceContext): ChangedBy {
  return { actor: actorName(ctx), requestId: requestName(ctx), now: ctx.now() };
}

/** For `recordAudit`, in the transaction of the change. */
export function auditRecord(ctx: ServiceContext, change: AuditedChange): AuditRecord {
  const { action, subject, label = "", resellerId = null, reason = "", changes, data = {} } = change;
  return {
    actor: actorName(ctx),
    requestId: requestName(ctx),
    action,
    resellerId,
    subject,
    label,
    reason,
    data: changes === undefined ? data : { ...data, changes },
    at: ctx.now(),
  };
}
