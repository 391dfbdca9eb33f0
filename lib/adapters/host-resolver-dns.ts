import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { NameLookup } from "#lib/domain/server-name.ts";
import type { HostResolver } from "#lib/ports/host-resolver.ts";
import type { Resolve } from "./webhook-resolver.ts";

const DEADLINE_MS = 2_500;
const MAX_NAMES = 10_000;
const TTL_MS = { found: 300_000, absent: 60_000, unanswered: 15_000 } as const satisfies Record<
  NameLookup["kind"],
  number
>;

/** There is no such name, or it has no address. */
const absentCodes: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

/** Looks up A and AAAA records with a deadline, and caches the result for a while. */
export function createDnsHostResolver(resolve: Resolve, deadlineMs = DEADLINE_MS): HostResolver {
  const kept = new LRUCache<string, Promise<NameLookup>>({ max: MAX_NAMES, ttl: DEADLINE_MS + deadlineMs });
  return {
    resolve(hostname) {
      const known = kept.get(hostname);
      if (known) return known;
      const lookup = lookUp(resolve, hostname, deadlineMs);
      kept.set(hostname, lookup);
      return lookup.then((answer) => {
        kept.set(hostname, lookup, { ttl: TTL_MS[answer.kind] });
        return answer;
      });
    },
  };
}

async function lookUp(resolve: Resolve, hostname: string, deadlineMs: number): Promise<NameLookup> {
  const answer = resolve(hostname).then(
    (addresses): NameLookup => ({ kind: "found", addresses }),
    (error): NameLookup => ({ kind: absentCodes.has(error?.code) ? "absent" : "unanswered" }),
  );
  return Promise.race([answer, sleep<NameLookup>(deadlineMs, { kind: "unanswered" }, { ref: false })]);
}
