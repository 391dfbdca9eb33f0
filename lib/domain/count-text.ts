import { formatLocale } from "./format-locale.ts";

/** "1 change", "2,000 changes". @param many default: `one` with an s */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString(formatLocale())} ${count === 1 ? one : many}`;
}
