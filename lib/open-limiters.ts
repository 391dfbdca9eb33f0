import cluster from "node:cluster";
import { memoryLimiters } from "#lib/adapters/limiter-memory.ts";
import { createPrimaryLimiters, type PrimaryChannel } from "#lib/adapters/limiter-primary.ts";
import { createRedisLimiters } from "#lib/adapters/limiter-redis.ts";
import { fingerprintSecret } from "#lib/domain/deployment.ts";
import type { FailureWatch } from "#lib/domain/failure-watch.ts";
import type { CountReply, LimiterStore } from "#lib/ports/limiter.ts";

export interface LimiterOptions {
  readonly redisUrl: string | undefined;
  /** The API keys' pepper, by whose fingerprint installations on one Redis count apart. */
  readonly pepper: string;
  readonly watch: FailureWatch;
}

/** Counts over all instances by Redis, else over the processes of this instance. */
export function openLimiters({ redisUrl, pepper, watch }: LimiterOptions): LimiterStore {
  if (redisUrl) return createRedisLimiters({ url: redisUrl, installation: fingerprintSecret(pepper), watch });
  return cluster.isWorker ? createPrimaryLimiters(primaryChannel()) : memoryLimiters;
}

function primaryChannel(): PrimaryChannel {
  return {
    send: (message) => void process.send?.(message),
    onReply: (listener) =>
      void process.on("message", (message: CountReply) => message.kind === "counted" && listener(message)),
  };
}
