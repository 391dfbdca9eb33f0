import { updateCycleRow } from "#lib/db/catalog/write.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changedMeanwhile } from "#lib/services/operation/seen-version.ts";
import { getPricedCycle, subjectOf } from "./cycle.ts";
import { requireFields } from "./fields.ts";

/**
 * Renames a cycle, here or at the provider. Its length never changes.
 * @throws DomainError `parameters_invalid`, `not_found`, `changed_meanwhile`.
 */
export async function updateCycle(
  ctx: ServiceContext,
  input: { readonly cycleId: number; readonly name: string; readonly providerCycle: string | null },
): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const { cycleId, name, providerCycle } = input;
  requireFields({ name, providerCycle });
  const cycle = await getPricedCycle(ctx, cycleId);
  const change = { name, providerCycle, seenVersion: ctx.seenVersion ?? null };
  const changed = await updateCycleRow(writesOf(ctx), cycleId, change, subjectOf(cycle), changedBy(ctx));
  if (!changed) throw changedMeanwhile("This cycle");
}
