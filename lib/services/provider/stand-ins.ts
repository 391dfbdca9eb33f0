import { DomainError } from "#lib/domain/errors.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";

/** A provider whose credentials cannot be unsealed. It must not stop the reconciler. */
export function unusable(name: string): LicenseProvider {
  const message = "The provider's credentials cannot be opened: is ENCRYPTION_KEY the one that they were stored under?";
  const lastFailure = { at: new Date(), message };
  return {
    name,
    traits: { terms: "counted", endsBySuspending: true },
    execute: async () => ({ kind: "not_sent", message }),
    lookUp: async () => ({ kind: "unreachable", message }),
    // biome-ignore lint/correctness/useYield: there is nothing to read.
    async *bookPages() {
      throw new DomainError("provider_unavailable", message);
    },
    health: () => ({ state: "open", accepts: false, lastSuccessAt: null, lastFailure, lastLatencyMs: null }),
  };
}

/** Rejects new requests; earlier ones can still be reconciled. */
export function disable(provider: LicenseProvider): LicenseProvider {
  const untouched = { lastSuccessAt: null, lastFailure: null, lastLatencyMs: null };
  const refuse = async () => ({ kind: "not_sent", message: "The provider is disabled." }) as const;
  return {
    ...provider,
    execute: refuse,
    check: refuse,
    health: () => ({ ...(provider.health?.() ?? untouched), state: "disabled", accepts: false }),
  };
}
