import type { NameLookup } from "#lib/domain/server-name.ts";

/** Asks the name servers for a name's addresses, and nothing else of anybody. */
export interface HostResolver {
  /** Always answers, soon. `hostname`: a public one (`isPublicHostname`). */
  resolve(hostname: string): Promise<NameLookup>;
}
