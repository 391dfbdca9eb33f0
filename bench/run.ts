/**
 * npm run bench [-- --row=<name>[,…]] [--keep=<folder>]
 * Measures the rows of the budgets, by default all, and writes bench/results.json. Exits with 1 if a budget is missed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runListsRow, runPagesRow } from "./pages-row.ts";
import { runProcessesRow } from "./processes-row.ts";
import { runRegisterRow } from "./register-row.ts";
import { formatReport, formatSummary, judge, type RowReport } from "./report.ts";
import { runServicesRow } from "./services-row.ts";
import { runStartRow } from "./start-row.ts";
import { runVerifyRow } from "./verify-row.ts";
import { runWebhooksRow } from "./webhooks-row.ts";

type Row = (log: (line: string) => void, options: { readonly keep?: string | undefined }) => Promise<RowReport>;

const rows: Readonly<Record<string, Row>> = {
  start: runStartRow,
  verify: runVerifyRow,
  processes: runProcessesRow,
  register: runRegisterRow,
  services: runServicesRow,
  webhooks: runWebhooksRow,
  lists: runListsRow,
  pages: runPagesRow,
};
const resultsFile = join(import.meta.dirname, "results.json");

const { values } = parseArgs({ options: { row: { type: "string" }, keep: { type: "string" } } });
const names = values.row?.split(",") ?? Object.keys(rows);
const unknown = names.find((name) => rows[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(`There is no row ${unknown}; there are: ${Object.keys(rows).join(", ")}.\n`);
  process.exit(2);
}
const environment = { ...process.env };
const reports: RowReport[] = [];
for (const name of names) {
  process.stderr.write(`${name}\n`);
  const report = await rows[name]?.((line) => process.stderr.write(`  ${line}\n`), values);
  forgetDatabase();
  if (!report) continue;
  reports.push(report);
  process.stdout.write(`${formatReport(report)}\n`);
}
process.stdout.write(formatSummary(reports));
keepResults(reports);
process.exitCode = reports.some(({ budgets }) => budgets.some((budget) => judge(budget) === "MISSED")) ? 1 : 0;

/** A row sets the variables of its own database, which the next one has no use for. */
function forgetDatabase(): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}

/** Rows that this run has not measured stay as they are. */
function keepResults(measured: readonly RowReport[]): void {
  const earlier: Record<string, unknown> = JSON.parse(readFileSync(resultsFile, "utf8"));
  const machine = { measuredAt: new Date().toISOString(), node: process.version, cores: availableParallelism() };
  const results = Object.fromEntries(
    measured.map(({ row, budgets, ...report }) => [
      row,
      { ...machine, budgets: budgets.map((budget) => ({ ...budget, verdict: judge(budget) })), ...report },
    ]),
  );
  writeFileSync(resultsFile, `${JSON.stringify({ ...earlier, ...results }, null, 2)}\n`);
}
