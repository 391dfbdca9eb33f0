import { countText } from "#lib/domain/count-text.ts";

const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 1_440;

/** 720 → "12 hours", 10,080 → "7 days", 90 → "90 minutes". */
export function spanText(minutes: number): string {
  if (minutes >= MINUTES_PER_DAY && minutes % MINUTES_PER_DAY === 0) return countText(minutes / MINUTES_PER_DAY, "day");
  if (minutes >= MINUTES_PER_HOUR && minutes % MINUTES_PER_HOUR === 0)
    return countText(minutes / MINUTES_PER_HOUR, "hour");
  return countText(minutes, "minute");
}
