import { lookup, Resolver } from "node:dns/promises";
import type { TargetRules } from "#lib/domain/public-address.ts";

/** The addresses of a host name, IPv4 first. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Queries name servers directly. The system's resolver has few threads, so a few names with unresponsive servers would
 * block all others. If private networks are allowed, names known only to the system (its hosts file) resolve too.
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
