import { listProviderRows } from "#lib/db/provider/provider.ts";
import { type LastComparison, listLastComparisons } from "#lib/db/reconciliation/comparison.ts";
import type { ProviderHealth } from "#lib/ports/license-provider.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** A provider without its credentials. */
export interface ProviderSummary {
  readonly name: string;
  readonly kind: "sandbox" | "dispatch";
  /** Null for the sandbox. */
  readonly baseUrl: string | null;
  readonly signs: boolean;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  /** Changes with every update. */
  readonly version: string;
  readonly productCount: number;
  /** Unsettled operations. */
  readonly openOperations: number;
  /** The last comparison of its books with ours; null: never. */
  readonly comparison: LastComparison | null;
  /** Since this process started; null for a local provider. */
  readonly health: ProviderHealth | null;
}

/** All providers by name, with their health. */
export async function listProviders(ctx: ServiceContext): Promise<readonly ProviderSummary[]> {
  requireAdmin(ctx, "admin:read");
  const [rows, comparisons] = await Promise.all([listProviderRows(ctx.db), listLastComparisons(ctx.db)]);
  return Promise.all(
    rows.map(async (row) => {
      const provider = await ctx.providers.get(row.name);
      const comparison = comparisons.find((last) => last.provider === row.name) ?? null;
      return { ...row, comparison, health: provider?.health?.() ?? null };
    }),
  );
}
