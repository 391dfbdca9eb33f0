import { type AuditFilter, type AuditRow, listAuditRows } from "#lib/db/audit/audit.ts";
import { requireAdmin, requireResellerUser, type ServiceContext } from "#lib/services/context.ts";

export type { AuditFilter, AuditRow } from "#lib/db/audit/audit.ts";

export interface AuditPage {
  readonly entries: readonly AuditRow[];
  /** The next page's `before`; null at the end. */
  readonly nextBefore: bigint | null;
}

const VISITOR = "system:visitor";
const WORKER = "system:worker";

interface Page {
  readonly before: bigint | null;
  readonly limit: number;
}

/** Newest first. */
export async function listAuditLog(
  ctx: ServiceContext,
  input: Page & { readonly filter: AuditFilter },
): Promise<AuditPage> {
  requireAdmin(ctx, "admin:read");
  return readPage(ctx, input, true);
}

/**
 * What concerns the reseller, newest first. Administrators are not named; their reasons, addresses, cases, and what they
 * changed, apart from money and from what they did acting as the reseller, stay theirs.
 */
export async function listOwnAuditLog(
  ctx: ServiceContext,
  input: Page & { readonly filter: Omit<AuditFilter, "resellerId"> },
): Promise<AuditPage> {
  const resellerId = requireResellerUser(ctx, "audit:read");
  const { entries, nextBefore } = await readPage(ctx, { ...input, filter: { ...input.filter, resellerId } }, false);
  return { entries: entries.map(withoutAdmin), nextBefore };
}

async function readPage(
  ctx: ServiceContext,
  { filter, before, limit }: Page & { readonly filter: AuditFilter },
  forAdmins: boolean,
): Promise<AuditPage> {
  const found = await listAuditRows(await ctx.db.reads(), filter, { before, limit: limit + 1, forAdmins });
  const entries = found.slice(0, limit);
  return { entries, nextBefore: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

function withoutAdmin(row: AuditRow): AuditRow {
  const isSystem = row.actor.startsWith("system:");
  if (row.actor === VISITOR || (!row.actorIsAdmin && !isSystem)) return row;
  const isShown = row.actingAsName !== null || row.action.startsWith("wallet.");
  const shown = { ...row, reason: "", requestId: "", address: "", data: isShown ? row.data : {} };
  return row.actor === WORKER ? shown : { ...shown, actor: "administrator", actorName: "Administrator" };
}
