import type { Budget } from "./report.ts";

/** One line of the pages' table: a figure and its budget. */
export interface PageFigure {
  readonly group: string;
  readonly name: string;
  readonly figure: number;
  readonly limit: number;
  readonly unit: "×" | "kB" | "ms" | "MB" | "";
  readonly detail: string;
  /** (largest − smallest) ÷ median of the rounds' ratios of their p50. */
  readonly spread?: number;
  /** Whether it compares like with like. Default: yes. */
  readonly isJudged?: boolean;
}

export function toBudget({ group, name, detail: _, ...figure }: PageFigure): Budget {
  return { name: `${group}: ${name}`, comparison: "at most", ...figure };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
