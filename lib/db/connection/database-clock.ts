/** A point in time on both local clocks. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export function present(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** The longer of both clocks: the monotonic one stops while a machine is suspended, the other can be set back. */
export function elapsedMs(since: Moment): number {
  return Math.max(performance.now() - since.monotonicMs, Date.now() - since.wallMs);
}

export interface DatabaseClock {
  /** The database's time; before the first sample, the local time. */
  now(): Date;
  /** @param sentAt when the statement that read `databaseTime` was sent; its response has just arrived */
  sample(databaseTime: Date, sentAt: Moment): void;
}

interface Sample {
  /** Database time minus monotonic time. */
  readonly offsetMs: number;
  readonly errorMs: number;
  readonly allowedAtMs: number;
}

/** How fast two quartz clocks drift apart. */
const DRIFT = 1e-4;
/** A timestamp has whole milliseconds. */
const RESOLUTION_MS = 1;

/** The database's time, extrapolated between samples by the monotonic clock. */
export function createDatabaseClock(): DatabaseClock {
  let best: Sample | null = null;

  return {
    now: () => (best === null ? new Date() : new Date(best.offsetMs + performance.now())),

    sample(databaseTime, { monotonicMs }) {
      const allowedAtMs = performance.now();
      const roundTripMs = allowedAtMs - monotonicMs;
      const offsetMs = databaseTime.getTime() + roundTripMs / 2 - allowedAtMs;
      const errorMs = roundTripMs / 2 + RESOLUTION_MS;
      if (best !== null) {
        const bestErrorMs = best.errorMs + DRIFT * (allowedAtMs - best.allowedAtMs);
        const agrees = Math.abs(offsetMs - best.offsetMs) <= errorMs + bestErrorMs;
        if (agrees && errorMs > bestErrorMs) return;
      }
      best = { offsetMs, errorMs, allowedAtMs };
    },
  };
}
