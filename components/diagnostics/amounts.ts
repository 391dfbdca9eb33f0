import { countText, numberText } from "#lib/domain/count-text.ts";

const units = [
  { name: "day", seconds: 86_400 },
  { name: "hour", seconds: 3_600 },
  { name: "minute", seconds: 60 },
  { name: "second", seconds: 1 },
] as const;

/** "3 days", "1 hour", "12 minutes": the largest unit of which there is at least one; "0 seconds" below. */
export function spanText(seconds: number): string {
  const { name, seconds: length } = units.find((unit) => seconds >= unit.seconds) ?? units[3];
  const count = Math.floor(seconds / length);
  return countText(count, name);
}

const MB_PER_GB = 1024;

/** "16 GB", "2.5 GB", "512 MB". */
export function sizeText(megabytes: number): string {
  if (megabytes < MB_PER_GB) return `${Math.round(megabytes)} MB`;
  return `${numberText(megabytes / MB_PER_GB, 1)} GB`;
}
