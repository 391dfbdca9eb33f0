/** A point in time on both local clocks. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export function present(): Moment {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

/** The longer of what both clocks say: the monotonic one stops while a machine is suspended, the other can be set back. */
export function elapsedMs(since: Moment): number {
  return Math.max(performance.now() - since.monotonicMs, Date.now() - since.wallMs);
}

export interface DatabaseClock {
  /** The database's time; the local clock's before the first sample. */
  now(): Date;
  /** @param sentAt when the statement that read `databaseTime` was sent; its answer has just arrived */
  sample(databaseTime: Date, sentAt: Moment): void;
}

interface Sample {
  /** Of the database's time over the monotonic clock. */
  readonly offsetMs: number;
  readonly errorMs: number;
  readonly allowedAtMs: number;
}

/** Of a quartz: how far two clocks drift apart. */
const DRIFT = 1e-4;
/** A timestamp arrives in whole milliseconds. */
const RESOLUTION_MS = 1;

/** The database's time between samples, counted on by the monotonic clock: it runs on while the process is stopped. */
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
