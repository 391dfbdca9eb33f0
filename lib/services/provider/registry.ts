import { LRUCache } from "lru-cache";
import type { Database } from "#lib/db/connection/client.ts";
import { findProvider, type ProviderRow } from "#lib/db/provider/provider.ts";
import type { SealingKey } from "#lib/domain/sealed-secret.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import type { ProviderRegistry } from "#lib/ports/provider-registry.ts";
import { openCredentials, type ProviderCredentials, requireSealingKey } from "./credentials.ts";
import { disable, unusable } from "./stand-ins.ts";

/** How a provider of each kind is made; given by whoever knows the adapters. */
export interface ProviderMakers {
  sandbox(): LicenseProvider;
  dispatch(provider: { readonly name: string; readonly baseUrl: string } & ProviderCredentials): LicenseProvider;
}

export interface ClosableRegistry extends ProviderRegistry {
  get(name: string): Promise<LicenseProvider | undefined>;
  forget(name: string): void;
  close(): Promise<void>;
}

/** A change made by another instance counts here within this time. */
const REMEMBER_MS = 3_000;
const MAX_PROVIDERS = 1_000;

/**
 * The providers of the table. The row is read again every few seconds; the provider itself, with its connections and
 * its circuit breaker, lives on until the row has changed.
 */
export function createProviderRegistry(
  db: Database,
  sealingKey: SealingKey | null,
  makers: ProviderMakers,
): ClosableRegistry {
  const made = new Map<string, { readonly version: string; readonly provider: LicenseProvider }>();
  const remembered = new LRUCache<string, LicenseProvider>({
    max: MAX_PROVIDERS,
    ttl: REMEMBER_MS,
    fetchMethod: async (name) => {
      const row = await findProvider(db, name);
      return row ? provide(row) : undefined;
    },
  });

  function provide(row: ProviderRow): LicenseProvider {
    const version = JSON.stringify([row.kind, row.baseUrl, row.credentials?.toString("base64"), row.signs]);
    const last = made.get(row.name);
    if (last && last.version !== version) endWhenIdle(last.provider);
    const provider = last?.version === version ? last.provider : make(row);
    made.set(row.name, { version, provider });
    return row.disabledAt ? disable(provider) : provider;
  }

  function make(row: ProviderRow): LicenseProvider {
    switch (row.kind) {
      case "sandbox":
        return makers.sandbox();
      case "dispatch": {
        const access = openAccess(row);
        return access ? makers.dispatch(access) : unusable(row.name);
      }
      default:
        return row.kind satisfies never;
    }
  }

  /** Null: sealed under another ENCRYPTION_KEY, or this process has none. */
  function openAccess({ name, baseUrl, credentials, signs }: ProviderRow) {
    if (baseUrl === null || credentials === null) return null;
    try {
      const { apiKey, signingSecret } = openCredentials(credentials, name, requireSealingKey(sealingKey));
      return { name, baseUrl, apiKey, signingSecret: signs ? signingSecret : null };
    } catch {
      return null;
    }
  }

  return {
    get: async (name) => remembered.get(name) ?? (await remembered.fetch(name)),
    forget: (name) => void remembered.delete(name),
    async close() {
      remembered.clear();
      await Promise.all([...made.values()].map(({ provider }) => provider.close?.()));
      made.clear();
    },
  };
}

/** Requests that hold it may still be under way; it ends after them. */
function endWhenIdle(provider: LicenseProvider): void {
  void provider.close?.().catch(() => {});
}
