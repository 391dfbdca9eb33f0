import { LRUCache } from "lru-cache";
import type { Database } from "#lib/db/connection/client.ts";
import { findProvider, type ProviderRow } from "#lib/db/provider/provider.ts";
import type { SealingKey } from "#lib/domain/sealed-secret.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import type { ProviderRegistry } from "#lib/ports/provider-registry.ts";
import { openCredentials, type ProviderCredentials, requireSealingKey } from "./credentials.ts";
import { disable, unusable } from "./stand-ins.ts";

/** Constructors per kind of provider, injected because services do not import adapters. */
export interface ProviderMakers {
  sandbox(): LicenseProvider;
  test(): LicenseProvider;
  dispatch(provider: { readonly name: string; readonly baseUrl: string } & ProviderCredentials): LicenseProvider;
}

export interface ClosableRegistry extends ProviderRegistry {
  get(name: string): Promise<LicenseProvider | undefined>;
  forget(name: string): void;
  close(): Promise<void>;
}

/** Other instances' changes take effect within this time. */
const REMEMBER_MS = 3_000;
const MAX_PROVIDERS = 1_000;

/**
 * Providers by name. Rereads the row every few seconds; keeps the provider, with its connections and circuit breaker,
 * until the row changes.
 */
export function createProviderRegistry(
  db: Database,
  sealingKey: SealingKey | null,
  makers: ProviderMakers,
): ClosableRegistry {
  const made = new Map<string, { readonly version: string; readonly provider: LicenseProvider }>();
  const remembered = new LRUCache<string, Promise<LicenseProvider | undefined>>({
    max: MAX_PROVIDERS,
    ttl: REMEMBER_MS,
  });

  /** A read that is under way when the provider is forgotten still ends; later callers read again. */
  function get(name: string): Promise<LicenseProvider | undefined> {
    const known = remembered.get(name);
    if (known) return known;
    const read = findProvider(db, name).then((row) => (row ? provide(row) : undefined));
    remembered.set(name, read);
    const drop = () => {
      if (remembered.peek(name) === read) remembered.delete(name);
    };
    read.then((provider) => {
      if (provider === undefined) drop();
    }, drop);
    return read;
  }

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
      case "test":
        return makers.test();
      case "dispatch": {
        const access = openAccess(row);
        return access ? makers.dispatch(access) : unusable(row.name);
      }
      default:
        return row.kind satisfies never;
    }
  }

  /** Null: no ENCRYPTION_KEY, or sealed under another one. */
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
    get,
    forget: (name) => void remembered.delete(name),
    async close() {
      remembered.clear();
      await Promise.all([...made.values()].map(({ provider }) => provider.close?.()));
      made.clear();
    },
  };
}

/** Ends after the requests in progress. */
function endWhenIdle(provider: LicenseProvider): void {
  void provider.close?.().catch(() => {});
}
