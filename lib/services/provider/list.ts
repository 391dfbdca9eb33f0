import { listProviderHealth, type ProviderHealthRow } from "#lib/db/provider/health.ts";
import { listProviderRows, type ProviderListRow } from "#lib/db/provider/provider.ts";
import { type LastComparison, listLastComparisons } from "#lib/db/reconciliation/comparison.ts";
import type { LicenseProvider, ProviderHealth } from "#lib/ports/license-provider.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

export interface ProviderSummary extends ProviderListRow {
  /** The last comparison of its books with ours; null: never. */
  readonly comparison: LastComparison | null;
  /** As this process sees it, with the last answers of any process; null for a local provider. */
  readonly health: ProviderHealth | null;
}

/** All providers by name, with their health. */
export async function listProviders(ctx: ServiceContext): Promise<readonly ProviderSummary[]> {
  requireAdmin(ctx, "admin:read");
  const [rows, comparisons, stored] = await Promise.all([
    listProviderRows(ctx.db),
    listLastComparisons(ctx.db),
    listProviderHealth(ctx.db),
  ]);
  return Promise.all(
    rows.map(async (row) => {
      const provider = await findCurrent(ctx, row);
      const comparison = comparisons.find((last) => last.provider === row.name) ?? null;
      const kept = stored.find((one) => one.provider === row.name) ?? null;
      return { ...row, comparison, health: mergeHealth(provider?.health?.() ?? null, kept) };
    }),
  );
}

/** Not as this process remembers it from before another one enabled or disabled it. */
async function findCurrent({ providers }: ServiceContext, row: ProviderListRow): Promise<LicenseProvider | undefined> {
  const provider = await providers.get(row.name);
  const state = provider?.health?.().state;
  if (state === undefined || (state === "disabled") === (row.disabledAt !== null)) return provider;
  providers.forget?.(row.name);
  return providers.get(row.name);
}

/** A process that has sent nothing yet probes a provider that failed last. */
function mergeHealth(own: ProviderHealth | null, stored: ProviderHealthRow | null): ProviderHealth | null {
  if (own === null || stored === null) return own;
  const { lastFailureAt, lastFailure: message } = stored;
  const kept = lastFailureAt === null ? null : { at: lastFailureAt, message };
  const lastFailure = kept && (own.lastFailure === null || kept.at > own.lastFailure.at) ? kept : own.lastFailure;
  const lastSuccessAt =
    stored.lastSuccessAt && stored.lastSuccessAt > (own.lastSuccessAt ?? 0) ? stored.lastSuccessAt : own.lastSuccessAt;
  const untried = own.lastSuccessAt === null && own.lastFailure === null && own.state === "closed";
  const failedLast = lastFailure !== null && lastFailure.at > (lastSuccessAt ?? 0);
  return {
    ...own,
    state: untried && failedLast ? "half_open" : own.state,
    lastSuccessAt,
    lastFailure,
    lastLatencyMs: own.lastLatencyMs ?? stored.lastLatencyMs,
  };
}
