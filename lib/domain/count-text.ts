import { numberFormat } from "./format-locale.ts";

/** "2,000", as the reader writes it. */
export function numberText(number: number, maximumFractionDigits = 0): string {
  return numberFormat({ maximumFractionDigits }).format(number);
}

/** "1 change", "2,000 changes". @param many default: `one` with an s */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}
