import { recordRead } from "#lib/db/audit/audit.ts";
import { streamAuditLinks } from "#lib/db/audit/links.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { auditRecord } from "./record.ts";

/**
 * Streams the whole audit log as JSON Lines, oldest first, in constant memory: `{"position": 1, "hash": "…", "entry": {…}}`.
 * A hash is the SHA-256 of the previous hash and the bytes of `entry` as written (docs/decisions/0054).
 * @throws DomainError `permission_denied` at the first chunk
 */
export async function* exportAuditLog(ctx: ServiceContext): AsyncGenerator<string> {
  requireAdmin(ctx, "admin:read");
  await recordRead(writesOf(ctx), auditRecord(ctx, { action: "audit.export", subject: "audit" }));
  for await (const links of streamAuditLinks(await ctx.db.reads())) {
    yield links
      .map(
        ({ position, hash, text }) =>
          `{"position": ${position}, "hash": "${hash.toString("hex")}", "entry": ${text}}\n`,
      )
      .join("");
  }
}
