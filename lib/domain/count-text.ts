import { formatLocale } from "./format-locale.ts";

/** "1 change", "2,000 changes". */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString(formatLocale())} ${count === 1 ? noun : `${noun}s`}`;
}
