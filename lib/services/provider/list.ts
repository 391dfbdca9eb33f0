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
  /** Another one after every change. */
  readonly version: string;
  readonly productCount: number;
  /** Operations sent to it, or about to be, whose outcome is not settled. */
  readonly openOperations: number;
  /** Of its books with ours; null: never. */
  readonly comparison: LastComparison | null;
  /** As this process has seen it since it started; null where nothing can be in between. */
  readonly health: ProviderHealth | null;
}

/**
 * Every provider, by name, with how it has been doing.
 * @throws DomainError `permission_denied`
 */
export async function listProviders(ctx: ServiceContext): Promise<readonly ProviderSummary[]> {
  requireAdmin(ctx);
  const [rows, comparisons] = await Promise.all([listProviderRows(ctx.db), listLastComparisons(ctx.db)]);
  return Promise.all(
    rows.map(async (row) => {
      const provider = await ctx.providers.get(row.name);
      const comparison = comparisons.find((last) => last.provider === row.name) ?? null;
      return { ...row, comparison, health: provider?.health?.() ?? null };
    }),
  );
}
