/** The report of a row: ratios first, since they apply to other machines, too. */

export interface Budget {
  readonly name: string;
  readonly ratio: number;
  readonly limit: number;
  readonly comparison: "at least" | "at most";
}

export interface ContenderReport {
  readonly name: string;
  /** Medians over the rounds. */
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** (largest − smallest) ÷ median of the rounds' throughput: the noise of the machine. */
  readonly spread: number;
}

export interface RowReport {
  readonly row: string;
  readonly setting: string;
  readonly budgets: readonly Budget[];
  readonly contenders: readonly ContenderReport[];
  readonly checks: readonly string[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function spread(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

export function isKept({ ratio, limit, comparison }: Budget): boolean {
  return comparison === "at least" ? ratio >= limit : ratio <= limit;
}

export function formatReport({ row, setting, budgets, contenders, checks }: RowReport): string {
  const budgetLines = budgets.map((budget) => {
    const verdict = isKept(budget) ? "kept" : "MISSED";
    return `  ${budget.name.padEnd(34)} ${budget.ratio.toFixed(2).padStart(6)}   budget: ${budget.comparison} ${budget.limit}, ${verdict}`;
  });
  const contenderLines = contenders.map(({ name, requestsPerSecond, p50Ms, p99Ms, spread }) => {
    const figures = [
      requestsPerSecond.toFixed(0),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      `${(100 * spread).toFixed(0)} %`,
    ];
    return `  ${name.padEnd(34)} ${figures.map((figure) => figure.padStart(9)).join("")}`;
  });
  return [
    `${row} (${setting})`,
    "",
    ...budgetLines,
    "",
    `  ${"".padEnd(34)} ${["requests/s", "p50 ms", "p99 ms", "spread"].map((title) => title.padStart(9)).join("")}`,
    ...contenderLines,
    "",
    ...checks.map((check) => `  ${check}`),
    "",
  ].join("\n");
}
