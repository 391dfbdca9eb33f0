import type { OperationResult } from "./change-at-provider.ts";

/** How a change ended at the provider: done, nothing to do, or not known yet (contract 3.5, 3.11). */
export type ProviderStatus = "updated" | "unchanged" | "pending";

export interface ChangeOutcome {
  readonly providerStatus: ProviderStatus;
  /** Null when nothing had to be done. */
  readonly operationId: string | null;
  /** Null while pending, and when nothing had to be done. */
  readonly settledAt: Date | null;
}

export function outcomeOf(result: OperationResult | null): ChangeOutcome {
  if (!result) return { providerStatus: "unchanged", operationId: null, settledAt: null };
  const { operation, pending } = result;
  return {
    providerStatus: pending ? "pending" : "updated",
    operationId: operation.id,
    settledAt: operation.settled_at,
  };
}
