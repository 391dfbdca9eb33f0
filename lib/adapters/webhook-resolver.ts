import { lookup, Resolver } from "node:dns/promises";
import type { TargetRules } from "#lib/domain/public-address.ts";

/** The addresses of a host name, those of IPv4 first. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Asks the name servers, without the system's own resolver: that one works on a handful of threads, and a few names
 * whose servers are silent would keep everybody else's from being resolved. Where private networks are allowed, names
 * that only the system knows (its hosts file) count too.
 */
export function createResolver({ allowedCidrs }: TargetRules): Resolve {
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    if (allowedCidrs.length > 0) return (await lookup(hostname, { all: true })).map(({ address }) => address);
    const [failure] = answers;
    throw failure?.status === "rejected" ? failure.reason : new Error("no addresses");
  };
}
