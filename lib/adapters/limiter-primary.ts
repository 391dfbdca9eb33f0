import { FixedWindowLimiter, type RateLimitDecision } from "#lib/domain/rate-limit.ts";
import type { CountReply, CountRequest, Limiter, LimiterOptions, LimiterStore } from "#lib/ports/limiter.ts";

/** The channel to the primary of the cluster: `process`, in one of its workers. */
export interface PrimaryChannel {
  send(message: CountRequest): void;
  onReply(listener: (reply: CountReply) => void): void;
}

interface Waiting {
  readonly take: CountRequest["takes"][number];
  readonly resolve: (decision: RateLimitDecision) => void;
}

/**
 * Counts in the primary of the cluster, over all its processes. One message is under way at a time and carries what has
 * arrived meanwhile, so messages become fewer per request as requests become more.
 */
export function createPrimaryLimiters(channel: PrimaryChannel): LimiterStore {
  let queued: Waiting[] = [];
  let sent: readonly Waiting[] | null = null;

  const flush = () => {
    if (sent !== null || queued.length === 0) return;
    sent = queued;
    queued = [];
    channel.send({ kind: "count", takes: sent.map(({ take }) => take), releases: [] });
  };
  channel.onReply(({ decisions }) => {
    const answered = sent ?? [];
    sent = null;
    answered.forEach(({ resolve }, index) => {
      const decision = decisions[index];
      if (decision) resolve(decision);
    });
    flush();
  });

  return {
    limiter(options): Limiter {
      const here = new FixedWindowLimiter(options);
      return {
        take: (key, limit, nowMs) =>
          new Promise((resolve) => {
            queued.push({ take: { options, key, limit, nowMs }, resolve });
            if (queued.length === 1) queueMicrotask(flush);
          }),
        takeHere: (key, limit, nowMs) => here.take(key, limit, nowMs),
        release(key, nowMs) {
          channel.send({ kind: "count", takes: [], releases: [{ options, key, nowMs }] });
        },
      };
    },
    close: async () => undefined,
  };
}

/** The primary's side: answers the requests of all processes. */
export function createPrimaryCounts(): (request: CountRequest) => CountReply | null {
  const limiters = new Map<string, FixedWindowLimiter>();
  const find = (options: LimiterOptions) => {
    const known = limiters.get(options.name) ?? new FixedWindowLimiter(options);
    limiters.set(options.name, known);
    return known;
  };
  return ({ takes, releases }) => {
    for (const { options, key, nowMs } of releases) find(options).release(key, nowMs);
    if (takes.length === 0) return null;
    const decisions = takes.map(({ options, key, limit, nowMs }) => find(options).take(key, limit, nowMs));
    return { kind: "counted", decisions };
  };
}
