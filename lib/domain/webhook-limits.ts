/** Limits per target host, across endpoints and resellers (docs/webhooks.md). */
export interface TargetLimits {
  /** Concurrent requests. */
  readonly concurrency: number;
  /** Requests per second; also the burst size. */
  readonly perSecond: number;
  /** Challenges per hour; also the burst size. */
  readonly challengesPerHour: number;
}

export const DEFAULT_TARGET_LIMITS: TargetLimits = { concurrency: 20, perSecond: 100, challengesPerHour: 60 };
