import type { Budget } from "./report.ts";

/** One line of the pages' table: a figure and its budget. */
export interface PageFigure {
  readonly group: string;
  readonly name: string;
  readonly figure: number;
  readonly limit: number;
  readonly unit: "×" | "kB" | "ms" | "MB" | "";
  readonly detail: string;
}

export function toBudget({ group, name, figure, limit, unit }: PageFigure): Budget {
  return { name: `${group}: ${name}`, figure, limit, comparison: "at most", unit };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
