import { isIP } from "node:net";
import { LRUCache } from "lru-cache";
import { normalizeAddress } from "#lib/domain/ipv4.ts";
import { isAllowedTarget, type TargetRules } from "#lib/domain/public-address.ts";
import { rateLimitSource } from "#lib/domain/source-address.ts";
import { BlockedTargetError } from "./webhook-failure.ts";
import type { Resolve } from "./webhook-resolver.ts";

/** One address of a host, and the target that it counts as: an IPv6 address counts as its /64. */
export interface WebhookRoute {
  readonly address: string;
  readonly target: string;
}

const NAMES_KEPT = 2_000;
const NAME_KEPT_MS = 10_000;

/** Resolves each name once for several seconds. Failures are not kept. */
export function rememberNames(resolve: Resolve): Resolve {
  const names = new LRUCache<string, readonly string[]>({
    max: NAMES_KEPT,
    ttl: NAME_KEPT_MS,
    fetchMethod: (hostname) => resolve(hostname),
  });
  return async (hostname) => (await names.fetch(hostname)) ?? [];
}

/**
 * Chooses the address of the URL's host to connect to. The target stays while the host has it and it answers; after a
 * failure the next one is tried.
 * @throws BlockedTargetError when none is allowed, or what the resolver throws
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

/** IPv4 first, and in an order that every process agrees on. */
function compareRoutes(a: WebhookRoute, b: WebhookRoute): number {
  return isIP(a.address) - isIP(b.address) || (a.address < b.address ? -1 : 1);
}
