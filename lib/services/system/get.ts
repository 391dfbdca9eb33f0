import { readFigures } from "#lib/db/monitoring/figures.ts";
import { readSystem, type SystemRow } from "#lib/db/monitoring/system.ts";
import { listLastComparisons } from "#lib/db/reconciliation/comparison.ts";
import type { Figures } from "#lib/domain/figures.ts";
import { judgeSystem, type SystemCheck } from "#lib/domain/system-health.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

export interface System extends SystemRow {
  readonly checks: readonly SystemCheck[];
  readonly figures: Figures;
}

/** What of the installation works and what does not. For the worker's messages. */
export async function readChecks({ db, now }: ServiceContext): Promise<SystemCheck[]> {
  const [figures, comparisons] = await Promise.all([readFigures(db), listLastComparisons(db)]);
  return judgeSystem(figures, comparisons, now());
}

/** The state of the installation, over all instances, as its database knows it. */
export async function getSystem(ctx: ServiceContext): Promise<System> {
  requireAdmin(ctx, "admin:read");
  const [row, figures, comparisons] = await Promise.all([
    readSystem(ctx.db),
    readFigures(ctx.db),
    listLastComparisons(ctx.db),
  ]);
  return { ...row, figures, checks: judgeSystem(figures, comparisons, row.now) };
}
