const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
const EXACT_BELOW_MS = 10;

/** 430 → "0.43 ms", 12,300 → "12 ms", 1,250,000 → "1.3 s". */
export function durationText(durationUs: number): string {
  if (durationUs >= US_PER_SECOND) return `${(durationUs / US_PER_SECOND).toFixed(1)} s`;
  const ms = durationUs / US_PER_MS;
  if (ms >= EXACT_BELOW_MS) return `${Math.round(ms)} ms`;
  return `${ms.toFixed(ms >= 1 ? 1 : 2)} ms`;
}
