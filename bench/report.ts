/** The report of a row: ratios first, since they apply to other machines, too. */

/** Contenders whose throughput varies more than this over the rounds prove nothing. */
const MAX_SPREAD = 0.2;

export interface Budget {
  readonly name: string;
  readonly figure: number;
  readonly limit: number;
  readonly comparison: "at least" | "at most";
  readonly unit?: string;
  /** The largest spread of what it compares; absent if each figure has many measurements of its own. */
  readonly spread?: number;
  /** False: what it compares differs in more than its contenders. */
  readonly isJudged?: boolean;
}

export interface ContenderReport {
  readonly name: string;
  /** Medians over the rounds. */
  readonly perSecond: number;
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

type Verdict = "met" | "MISSED" | "not judged";

export function judge({ figure, limit, comparison, spread = 0, isJudged = true }: Budget): Verdict {
  if (!isJudged || spread > MAX_SPREAD) return "not judged";
  return (comparison === "at least" ? figure >= limit : figure <= limit) ? "met" : "MISSED";
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

/** Lists nothing twice: a row's throughputs and checks, under its budgets. */
export function formatReport({ row, setting, budgets, contenders, checks }: RowReport): string {
  const contenderLines = contenders.map(({ name, perSecond, p50Ms, p99Ms, spread }) => {
    const figures = [perSecond.toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2), `${(100 * spread).toFixed(0)} %`];
    return `  ${name.padEnd(44)} ${figures.map((figure) => figure.padStart(9)).join("")}`;
  });
  const titles = ["a second", "p50 ms", "p99 ms", "spread"].map((title) => title.padStart(9)).join("");
  return [
    `${row} (${setting})`,
    "",
    ...budgets.map((budget) => `  ${formatBudget(budget)}`),
    ...(contenders.length > 0 ? ["", `  ${"".padEnd(44)} ${titles}`, ...contenderLines] : []),
    "",
    ...checks.map((check) => `  ${check}`),
    "",
  ].join("\n");
}

/** All budgets of a run. */
export function formatSummary(reports: readonly RowReport[]): string {
  const lines = reports.flatMap(({ row, budgets }) =>
    budgets.map((budget) => `${row.padEnd(10)} ${formatBudget(budget)}`),
  );
  const verdicts = reports.flatMap(({ budgets }) => budgets.map(judge));
  const count = (verdict: Verdict) => verdicts.filter((one) => one === verdict).length;
  return [...lines, "", `${count("met")} met, ${count("MISSED")} missed, ${count("not judged")} not judged.`, ""].join(
    "\n",
  );
}

function formatBudget(budget: Budget): string {
  const { name, figure, limit, comparison, unit = "" } = budget;
  const amount = (value: number) => `${Number(value.toPrecision(3))}${unit && ` ${unit}`}`;
  return `${name.padEnd(44)} ${amount(figure).padStart(10)}   ${`${comparison} ${amount(limit)}`.padEnd(18)} ${judge(budget)}`;
}
