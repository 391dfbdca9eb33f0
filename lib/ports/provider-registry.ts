import type { LicenseProvider } from "./license-provider.ts";

/** The providers that products refer to. A plain map also implements it. */
export interface ProviderRegistry {
  /** Undefined if there is no such provider. A disabled one sends nothing but answers look-ups. */
  get(name: string): LicenseProvider | undefined | Promise<LicenseProvider | undefined>;
  /** Reloads the provider at its next use, after a change. */
  forget?(name: string): void;
}
