import { type AuditFilter, type AuditRow, auditListing } from "#lib/db/audit/audit.ts";
import { requireAdmin, requireResellerUser, type ServiceContext } from "#lib/services/context.ts";
import { type Page, type PageInput, readPage } from "#lib/services/page.ts";

export type { AuditFilter, AuditRow } from "#lib/db/audit/audit.ts";

type AuditPage = Page<AuditRow, bigint>;

const VISITOR = "system:visitor";
const WORKER = "system:worker";

/** Newest first. */
export async function listAuditLog(
  ctx: ServiceContext,
  input: PageInput<bigint> & { readonly filter: AuditFilter },
): Promise<AuditPage> {
  requireAdmin(ctx, "admin:read");
  return readAuditPage(ctx, input, true);
}

/**
 * What concerns the reseller, newest first. Administrators are not named; their reasons, addresses, cases, and what they
 * changed, apart from money, licenses and what they did acting as the reseller, stay theirs.
 */
export async function listOwnAuditLog(
  ctx: ServiceContext,
  input: PageInput<bigint> & { readonly filter: Omit<AuditFilter, "resellerId"> },
): Promise<AuditPage> {
  const resellerId = requireResellerUser(ctx, "audit:read");
  const filter = { ...input.filter, resellerId };
  const page = await readAuditPage(ctx, { ...input, filter }, false);
  return { ...page, rows: page.rows.map(withoutAdmin) };
}

async function readAuditPage(
  ctx: ServiceContext,
  { filter, before, limit }: PageInput<bigint> & { readonly filter: AuditFilter },
  forAdmins: boolean,
): Promise<AuditPage> {
  const { list, count } = auditListing(await ctx.db.reads(), filter, { forAdmins });
  return readPage({ before, limit }, { list, count: hasIndex(filter) ? count : null }, ({ id }) => id);
}

/** Names are compared with every entry, and one index serves one filter. */
function hasIndex({ actor, subject, action, address, resellerId, from, until }: AuditFilter): boolean {
  const filters = [action, address, resellerId, from ?? until].filter((value) => value !== undefined);
  return actor === undefined && subject === undefined && filters.length <= 1;
}

function withoutAdmin(row: AuditRow): AuditRow {
  const isSystem = row.actor.startsWith("system:");
  if (row.actor === VISITOR || (!row.actorIsAdmin && !isSystem)) return row;
  const isShown = row.actingAsName !== null || /^(?:bundle|license|wallet)\./.test(row.action);
  const shown = { ...row, reason: "", requestId: "", address: "", data: isShown ? row.data : {} };
  return row.actor === WORKER ? shown : { ...shown, actor: "administrator", actorName: "Administrator" };
}
