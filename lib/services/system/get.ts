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
export async function readChecks({ db, hostProbe, now }: ServiceContext): Promise<SystemCheck[]> {
  const [figures, comparisons, machine] = await Promise.all([
    readFigures(db),
    listLastComparisons(db),
    hostProbe.readState(),
  ]);
  return judgeSystem(figures, comparisons, machine, now());
}

/** The state of the installation, over all instances, as its database knows it. */
export async function getSystem(ctx: ServiceContext): Promise<System> {
  requireAdmin(ctx, "admin:read");
  const [row, figures, comparisons, machine] = await Promise.all([
    readSystem(ctx.db),
    readFigures(ctx.db),
    listLastComparisons(ctx.db),
    ctx.hostProbe.readState(),
  ]);
  return { ...row, figures, checks: judgeSystem(figures, comparisons, machine, row.now) };
}
