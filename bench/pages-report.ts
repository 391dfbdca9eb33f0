/** One line of the pages' table: a figure and its budget. */
export interface PageFigure {
  readonly group: string;
  readonly name: string;
  readonly figure: number;
  readonly limit: number;
  readonly unit: "×" | "kB" | "ms" | "MB" | "";
  readonly detail: string;
}

function isWithin({ figure, limit }: PageFigure): boolean {
  return figure <= limit;
}

const digits = { "×": 2, kB: 0, ms: 0, MB: 1, "": 3 } as const;

export function formatFigures(figures: readonly PageFigure[]): string {
  const lines: string[] = [];
  for (const group of new Set(figures.map((figure) => figure.group))) {
    lines.push("", `${group}`, `  ${"".padEnd(44)} ${"figure".padStart(10)} ${"budget".padStart(10)}`);
    for (const line of figures.filter((figure) => figure.group === group)) {
      const amount = (value: number) => `${value.toFixed(digits[line.unit])} ${line.unit}`.trim().padStart(10);
      const verdict = isWithin(line) ? "" : "MISSED";
      lines.push(
        `  ${line.name.padEnd(44)} ${amount(line.figure)} ${amount(line.limit)}  ${verdict.padEnd(7)} ${line.detail}`.trimEnd(),
      );
    }
  }
  const missed = figures.filter((figure) => !isWithin(figure)).length;
  lines.push("", `${figures.length - missed} of ${figures.length} within budget.`, "");
  return lines.join("\n");
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
