import type { AuditRecord } from "#lib/db/audit/audit.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { LicenseRow } from "./get.ts";

/**
 * The entry of a change of notes or labels. It names the changed fields without their text: entries are never deleted,
 * and a customer's name is personal data.
 */
export function auditUpdate(
  ctx: ServiceContext,
  { id, hostname, ipAddress }: Pick<LicenseRow, "id" | "hostname" | "ipAddress">,
  { resellerId, changed }: { readonly resellerId: ResellerId; readonly changed: readonly string[] },
): AuditRecord {
  const subject = `license:${id}`;
  return auditRecord(ctx, {
    action: "license.update",
    resellerId,
    subject,
    label: hostname || ipAddress,
    data: { changed },
  });
}
