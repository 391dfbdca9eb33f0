import { createClient, defineScript } from "@redis/client";
import { z } from "zod";
import type { FailureWatch } from "#lib/domain/failure-watch.ts";
import { decide, FixedWindowLimiter, type RateLimitDecision } from "#lib/domain/rate-limit.ts";
import type { Limiter, LimiterOptions, LimiterStore } from "#lib/ports/limiter.ts";

export interface RedisLimiterOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Of the installation: another one on the same Redis counts for itself. */
  readonly installation: string;
  /** Notified of each request that Redis did not count. */
  readonly watch: FailureWatch;
}

/** How long a request waits for its count. */
const ANSWER_WITHIN_MS = 250;
/** How long requests are counted here after Redis has failed. */
const PAUSE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 1_000;
const PING_EVERY_MS = 1_000;
/** Without an answer for this long, the connection is replaced. */
const SILENCE_MS = 3_000;
const MAX_RECONNECT_PAUSE_MS = 1_000;

interface Counted {
  readonly allowed: boolean;
  readonly count: number;
  readonly msLeft: number;
}

/** Whether it is allowed (1), the count, and the milliseconds left. */
const counted = z.tuple([z.int(), z.int(), z.int()]);

const take = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
    local count = tonumber(redis.call("GET", KEYS[1]) or "0")
    local allowed = 0
    if count < tonumber(ARGV[1]) then
      allowed = 1
      count = redis.call("INCR", KEYS[1])
      if count == 1 then redis.call("PEXPIRE", KEYS[1], ARGV[2]) end
    end
    return { allowed, count, redis.call("PTTL", KEYS[1]) }`,
  parseCommand(parser, key: string, limit: number, windowMs: number) {
    parser.pushKey(key);
    parser.push(String(limit), String(windowMs));
  },
  transformReply(reply: unknown): Counted {
    const [allowed, count, msLeft] = counted.parse(reply);
    return { allowed: allowed === 1, count, msLeft };
  },
});

const release = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `if tonumber(redis.call("GET", KEYS[1]) or "0") > 0 then return redis.call("DECR", KEYS[1]) end return 0`,
  parseCommand(parser, key: string) {
    parser.pushKey(key);
  },
  transformReply: (reply: unknown) => reply as number,
});

/**
 * Counts in Redis, over all instances. While it is away or does not answer in time, each process counts for itself, and
 * requests wait for it at most once a second.
 */
export function createRedisLimiters({ url, installation, watch }: RedisLimiterOptions): LimiterStore {
  const client = createClient({
    url,
    scripts: { take, release },
    disableOfflineQueue: true,
    pingInterval: PING_EVERY_MS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, MAX_RECONNECT_PAUSE_MS),
    },
  });
  // A request that could not be counted reports it.
  client.on("error", () => undefined);
  const connected = client.connect().catch(() => undefined);
  let pausedUntilMs = 0;

  const fail = (error: unknown) => {
    pausedUntilMs = performance.now() + PAUSE_MS;
    watch.failed(kindOf(error));
  };

  function limiter(options: LimiterOptions): Limiter {
    const { name, windowMs } = options;
    const here = new FixedWindowLimiter(options);
    const keyOf = (key: string) => `license-desk:${installation}:${name}:${key}`;
    const isPaused = () => performance.now() < pausedUntilMs;
    return {
      async take(key, limit, nowMs): Promise<RateLimitDecision> {
        if (isPaused()) return here.take(key, limit, nowMs);
        try {
          const { allowed, count, msLeft } = await inTime(
            connected.then(() => client.take(keyOf(key), limit, windowMs)),
          );
          watch.succeeded();
          const endsAtMs = nowMs + (msLeft > 0 ? msLeft : windowMs);
          return decide({ allowed, limit, count, endsAtMs, nowMs });
        } catch (error) {
          fail(error);
          return here.take(key, limit, nowMs);
        }
      },
      takeHere: (key, limit, nowMs) => here.take(key, limit, nowMs),
      release(key, allowedAtMs) {
        here.release(key, allowedAtMs);
        if (!isPaused()) client.release(keyOf(key)).catch(fail);
      },
    };
  }

  return {
    limiter,
    async close() {
      client.destroy();
      await connected;
    },
  };
}

async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>();
  // The answer may have arrived while this process was busy: it is read before `setImmediate`.
  const timer = setTimeout(() => setImmediate(() => late.reject(new Error("timeout"))), ANSWER_WITHIN_MS);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}

function kindOf(error: unknown): string {
  if (error instanceof z.ZodError) return "unclear_answer";
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as NodeJS.ErrnoException;
  return code ?? (error.message === "timeout" ? "timeout" : error.constructor.name);
}
