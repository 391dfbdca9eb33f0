import { countUnlinkedEntries, listAuditLinkRows } from "#lib/db/audit/links.ts";
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

const PAGE_SIZE = 1_000;

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
  for (let after = 0n, more = true; more; ) {
    const links = await listAuditLinkRows(ctx.db, { after, limit: PAGE_SIZE });
    for (const link of links) chain.add(link);
    after = links.at(-1)?.position ?? after;
    more = links.length === PAGE_SIZE;
  }
  chain.end();
  return { head: chain.head, problems: chain.problems, unlinkedEntries: await countUnlinkedEntries(ctx.db) };
}
