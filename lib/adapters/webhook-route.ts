import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import { normalizeAddress } from "#lib/domain/cidr.ts";
import { isAllowedTarget, type TargetRules } from "#lib/domain/public-address.ts";
import { rateLimitSource } from "#lib/domain/source-address.ts";
import { BlockedTargetError } from "./webhook-failure.ts";
import type { Resolve } from "./webhook-resolver.ts";

/** An address of a host and the target that it counts as: IPv6 counts by /64. */
export interface WebhookRoute {
  readonly address: string;
  readonly target: string;
}

const MAX_CACHED_NAMES = 2_000;
const NAME_TTL_MS = 10_000;

/** Caches each name for several seconds. Failures are not cached. */
export function cacheNames(resolve: Resolve): Resolve {
  const names = new LRUCache<string, readonly string[]>({
    max: MAX_CACHED_NAMES,
    ttl: NAME_TTL_MS,
    fetchMethod: (hostname) => resolve(hostname),
  });
  return async (hostname) => (await names.fetch(hostname)) ?? [];
}

/**
 * Selects the address of the URL's host to connect to. The target stays while the host has it and it responds; after a
 * failure the next one is tried.
 * @throws BlockedTargetError if none is allowed, or what the resolver throws
 */
export async function findRoute(
  request: { readonly url: string; readonly target: string | null; readonly failures: number },
  rules: TargetRules,
  resolve: Resolve,
): Promise<WebhookRoute> {
  const host = new URL(request.url).hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const routes = addresses
    .filter((address) => isAllowedTarget(address, rules))
    .map((address) => ({ address, target: rateLimitSource(normalizeAddress(address) ?? address) }))
    .toSorted(compareRoutes);
  const known = request.failures === 0 ? routes.find(({ target }) => target === request.target) : undefined;
  const route = known ?? routes[request.failures % routes.length];
  if (route) return route;
  throw new BlockedTargetError();
}

/** IPv4 first, in an order that all processes share. */
function compareRoutes(a: WebhookRoute, b: WebhookRoute): number {
  return isIP(a.address) - isIP(b.address) || (a.address < b.address ? -1 : 1);
}
