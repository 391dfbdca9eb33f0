import { download } from "#lib/dashboard/download.ts";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { toDay } from "#lib/domain/times.ts";
import { exportAuditLog } from "#lib/services/audit/export.ts";

export async function GET(): Promise<Response> {
  const ctx = contextOf(await requireAdminUser("admin:read"));
  return download(`audit-${toDay(ctx.now())}.jsonl`, "application/jsonl", exportAuditLog(ctx));
}
