const MINUTE = 60;
const HOUR = 3_600;

/** "in 12 s", "in 4 min 12 s", "in 2 h 5 min"; "now" from 0 on. */
export function untilText(seconds: number): string {
  if (seconds <= 0) return "now";
  if (seconds < MINUTE) return `in ${seconds} s`;
  if (seconds < HOUR) return `in ${Math.floor(seconds / MINUTE)} min ${seconds % MINUTE} s`;
  return `in ${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} min`;
}
