import { recordRead } from "#lib/db/audit/audit.ts";
import { listAuditLinkRows } from "#lib/db/audit/links.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { auditRecord } from "./record.ts";

const PAGE_SIZE = 1_000;

/**
 * Streams the whole audit log as JSON Lines, oldest first, in constant memory: `{"position": 1, "hash": "…", "entry": {…}}`.
 * A hash is the SHA-256 of the previous hash and the bytes of `entry` as written (docs/decisions/0054).
 * @throws DomainError `permission_denied` at the first chunk
 */
export async function* exportAuditLog(ctx: ServiceContext): AsyncGenerator<string> {
  requireAdmin(ctx, "admin:read");
  await recordRead(writesOf(ctx), auditRecord(ctx, { action: "audit.export", subject: "audit" }));
  for (let after = 0n, more = true; more; ) {
    const links = await listAuditLinkRows(ctx.db, { after, limit: PAGE_SIZE });
    yield links
      .map(
        ({ position, hash, text }) =>
          `{"position": ${position}, "hash": "${hash.toString("hex")}", "entry": ${text}}\n`,
      )
      .join("");
    after = links.at(-1)?.position ?? after;
    more = links.length === PAGE_SIZE;
  }
}
