/** How often something happens, and how long after each multiple of that since 1970 (UTC). */
export interface Interval {
  readonly everyMs: number;
  readonly offsetMs: number;
}
