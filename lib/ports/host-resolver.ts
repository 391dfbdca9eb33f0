import type { NameLookup } from "#lib/domain/server-name.ts";

/** Resolves names through name servers only. */
export interface HostResolver {
  /** Never throws, and has a deadline. `hostname`: a public one (`isPublicHostname`). */
  resolve(hostname: string): Promise<NameLookup>;
}
