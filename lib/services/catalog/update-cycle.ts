import { recordAudit } from "#lib/db/audit.ts";
import { changesOf } from "#lib/domain/audit.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { getPricedCycle, subjectOf } from "./cycle.ts";
import { requireFields } from "./fields.ts";

/**
 * Renames a cycle, here or as the provider calls it. How long it is never changes: it was sold as that.
 * @throws DomainError `permission_denied`, `parameters_invalid`, `not_found`.
 */
export async function updateCycle(
  ctx: ServiceContext,
  input: { readonly cycleId: number; readonly name: string; readonly providerCycle: string | null },
): Promise<void> {
  requireAdmin(ctx);
  const { cycleId, name, providerCycle } = input;
  requireFields({ name, providerCycle });
  const cycle = await getPricedCycle(ctx, cycleId);
  const before = { name: cycle.name, providerCycle: cycle.providerCycle };
  const { prisma } = ctx.db;
  await prisma.$transaction([
    prisma.billingCycle.update({ where: { id: cycleId }, data: { name, providerCycle } }),
    recordAudit(
      ctx.db,
      auditRecord(ctx, {
        action: "catalog.update_cycle",
        ...subjectOf(cycle),
        changes: changesOf<Record<string, string | null>>(before, { name, providerCycle }),
      }),
    ),
  ]);
}
