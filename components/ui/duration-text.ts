import { numberText } from "#lib/domain/count-text.ts";

/** "0.43 ms", "1.2 ms", "85 ms", "1.3 s", "15 s". */
export function durationText(ms: number): string {
  const [value, unit] = ms < 1_000 ? [ms, "ms"] : [ms / 1_000, "s"];
  return `${numberText(value, value < 1 ? 2 : value < 10 ? 1 : 0)} ${unit}`;
}
