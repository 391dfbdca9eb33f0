/** npm run bench [-- --row=<name>] [--json] Measures one row of the budgets. Exits with 1 if a budget is missed. */
import { parseArgs } from "node:util";
import { runRegisterRow } from "./register-row.ts";
import { formatReport, isKept, type RowReport } from "./report.ts";
import { runVerifyRow } from "./verify-row.ts";
import { runWebhooksRow } from "./webhooks-row.ts";

const rows: Readonly<Record<string, (log: (line: string) => void) => Promise<RowReport>>> = {
  register: runRegisterRow,
  verify: runVerifyRow,
  webhooks: runWebhooksRow,
};

const { values } = parseArgs({
  options: { row: { type: "string", default: "verify" }, json: { type: "boolean", default: false } },
});
const runRow = rows[values.row];
if (runRow === undefined) {
  process.stderr.write(`There is no row ${values.row}; there are: ${Object.keys(rows).join(", ")}.\n`);
  process.exit(2);
}
// Progress goes to stderr, so that --json prints only JSON.
const report = await runRow((line) => process.stderr.write(`${line}\n`));
process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report));
process.exitCode = report.budgets.every(isKept) ? 0 : 1;
