import { countUnlinkedEntries, streamAuditLinks } from "#lib/db/audit/links.ts";
import { AuditChain, type AuditHead, type AuditProblem } from "#lib/domain/audit-chain.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

export interface AuditVerification {
  /** Null before the first entry. To be noted outside this database: it proves later that nothing was cut off. */
  readonly head: AuditHead | null;
  /** By position. */
  readonly problems: readonly AuditProblem[];
  /** Entries that were written past the chain. */
  readonly unlinkedEntries: number;
}

/**
 * Recomputes the hash chain of the audit log, in constant memory. Finds entries that were changed, removed, added or
 * reordered; and, with a head that was noted earlier, a chain that was shortened or written anew.
 */
export async function verifyAuditLog(
  ctx: ServiceContext,
  input: { readonly expectedHead?: AuditHead | undefined } = {},
): Promise<AuditVerification> {
  requireAdmin(ctx, "admin:read");
  const chain = new AuditChain(input.expectedHead);
  for await (const links of streamAuditLinks(ctx.db)) for (const link of links) chain.add(link);
  chain.end();
  return { head: chain.head, problems: chain.problems, unlinkedEntries: await countUnlinkedEntries(ctx.db) };
}
