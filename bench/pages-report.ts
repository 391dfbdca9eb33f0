import type { Budget } from "./report.ts";

/** One line of the pages' table: a figure and its budget. */
export interface PageFigure {
  readonly group: string;
  readonly name: string;
  readonly figure: number;
  readonly limit: number;
  readonly unit: "×" | "kB" | "ms" | "MB" | "";
  readonly detail: string;
  /** Whether it compares like with like. Default: yes. */
  readonly isJudged?: boolean;
}

export function toBudget({ group, name, figure, limit, unit, isJudged }: PageFigure): Budget {
  const budget = { name: `${group}: ${name}`, figure, limit, comparison: "at most", unit } as const;
  return isJudged === false ? { ...budget, isJudged } : budget;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
