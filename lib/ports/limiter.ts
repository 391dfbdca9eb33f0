import type { RateLimitDecision } from "#lib/domain/rate-limit.ts";

/** Allows a number of requests per key and window, over all processes that share its counts. */
export interface Limiter {
  /** Counts one request of `key`. Denied requests do not count. Never rejects. */
  take(key: string, limit: number, nowMs: number): RateLimitDecision | Promise<RateLimitDecision>;
  /** Counts without waiting, in this process alone: for requests that are rejected before they could be read. */
  takeHere(key: string, limit: number, nowMs: number): RateLimitDecision;
  /** Uncounts a request that was allowed at `allowedAtMs`. */
  release(key: string, allowedAtMs: number): void;
}

export interface LimiterOptions {
  /** Separates its keys from those of other limiters. */
  readonly name: string;
  readonly windowMs: number;
  /** Maximum number of keys in a process's memory. */
  readonly maxTracked: number;
}

/** Where counts are kept: this process, the primary of its cluster, or Redis. */
export interface LimiterStore {
  limiter(options: LimiterOptions): Limiter;
  close(): Promise<void>;
}

/** From a process of a cluster to its primary. */
export interface CountRequest {
  readonly kind: "count";
  readonly takes: readonly {
    readonly options: LimiterOptions;
    readonly key: string;
    readonly limit: number;
    readonly nowMs: number;
  }[];
  readonly releases: readonly { readonly options: LimiterOptions; readonly key: string; readonly nowMs: number }[];
}

/** Answers a request with `takes`, in their order. */
export interface CountReply {
  readonly kind: "counted";
  readonly decisions: readonly RateLimitDecision[];
}
