import type { OperationResult } from "./change-at-provider.ts";

/** Outcome at the provider: done, nothing to do, or unknown so far (contract 3.5, 3.11). */
export type ProviderStatus = "updated" | "unchanged" | "pending";

export interface ChangeOutcome {
  readonly providerStatus: ProviderStatus;
  /** Null if unchanged. */
  readonly operationId: string | null;
  /** Null if unchanged or pending. */
  readonly settledAt: Date | null;
}

export function toChangeOutcome(result: OperationResult | null): ChangeOutcome {
  if (!result) return { providerStatus: "unchanged", operationId: null, settledAt: null };
  const { operation, pending } = result;
  return {
    providerStatus: pending ? "pending" : "updated",
    operationId: operation.id,
    settledAt: operation.settled_at,
  };
}
