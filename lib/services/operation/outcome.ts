import type { OperationResult } from "./change-at-provider.ts";

/** How a change ended at the provider: done, nothing to do, or not known yet (decisions 3.5, 3.11). */
export type ProviderStatus = "updated" | "unchanged" | "pending";

export interface ChangeOutcome {
  readonly providerStatus: ProviderStatus;
  /** Null when nothing had to be done. */
  readonly operationId: string | null;
}

export function outcomeOf(result: OperationResult | null): ChangeOutcome {
  if (!result) return { providerStatus: "unchanged", operationId: null };
  return { providerStatus: result.pending ? "pending" : "updated", operationId: result.operation.id };
}
