import type { LicenseProvider } from "./license-provider.ts";

/** The providers that products can name. A plain map of them is one, too. */
export interface ProviderRegistry {
  /** Undefined: there is no such provider. A disabled one sends nothing, and can still be asked. */
  get(name: string): LicenseProvider | undefined | Promise<LicenseProvider | undefined>;
  /** Reads the provider anew at the next use, after it was changed. */
  forget?(name: string): void;
}
