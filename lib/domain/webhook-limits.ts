/** What one host may be sent, over all endpoints and resellers (docs/webhooks.md). */
export interface TargetLimits {
  /** Requests under way at a time. */
  readonly concurrency: number;
  /** Requests a second; as many may come at once after a pause. */
  readonly perSecond: number;
  /** Challenges an hour; as many may come at once after a pause. */
  readonly challengesPerHour: number;
}

export const DEFAULT_TARGET_LIMITS: TargetLimits = { concurrency: 20, perSecond: 100, challengesPerHour: 60 };
