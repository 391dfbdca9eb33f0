import type { Database } from "#lib/db/connection/client.ts";
import { upsertProviderHealth } from "#lib/db/provider/health.ts";
import type { ProviderHealth } from "#lib/ports/license-provider.ts";

const WRITE_EVERY_MS = 30_000;

/**
 * Stores how providers answer: at once when one begins or ceases to fail, else twice a minute. A write that fails is
 * left to the next answer.
 */
export function keepProviderHealth(db: Database) {
  const written = new Map<string, { readonly failing: boolean; readonly atMs: number }>();
  return (provider: string, { lastSuccessAt, lastFailure, lastLatencyMs }: ProviderHealth): void => {
    const failing = (lastFailure?.at.getTime() ?? 0) > (lastSuccessAt?.getTime() ?? 0);
    const last = written.get(provider);
    const atMs = performance.now();
    if (last?.failing === failing && atMs - last.atMs < WRITE_EVERY_MS) return;
    written.set(provider, { failing, atMs });
    const lastFailureAt = lastFailure?.at ?? null;
    const row = { provider, lastSuccessAt, lastFailureAt, lastFailure: lastFailure?.message ?? "", lastLatencyMs };
    upsertProviderHealth(db, row).catch(() => written.delete(provider));
  };
}
