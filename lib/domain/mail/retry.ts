const MINUTE_MS = 60_000;
const DELAYS_MS = [1, 5, 15, 60, 120, 240].map((minutes) => minutes * MINUTE_MS);

/** The pause after the `attempts`th failure, spread by `random` (0 to 1) over the last fifth. */
export function mailRetryDelayMs(attempts: number, random: number): number {
  const delay = DELAYS_MS[Math.min(attempts, DELAYS_MS.length) - 1] ?? MINUTE_MS;
  return Math.round(delay * (0.8 + 0.2 * random));
}
