import { saveFile } from "#components/ui/save-file.ts";
import { type CsvText, csvRecord, csvRecords } from "#lib/domain/csv.ts";
import type { ImportPlanRow } from "./plan-view.ts";

const header = [
  "product",
  "cycle",
  "ip_address",
  "notes",
  "customer_name",
  "customer_email",
  "customer_reference",
  "tags",
  "auto_renew",
  "cores",
  "problem",
];
const FILE_NAME = "rows-with-problems.csv";

/** A file of the rows that cannot be registered, each with why: it can be put right and imported as it is. */
export function downloadProblems(rows: readonly ImportPlanRow[]): void {
  const records = rows.map((row) => [
    row.product,
    row.cycle,
    row.address,
    row.notes,
    row.customerName,
    row.customerEmail,
    row.customerReference,
    row.tags,
    row.autoRenew,
    row.cores,
    row.problems.join(" "),
  ]);
  const parts: CsvText[] = [csvRecord(header), csvRecords(records)];
  saveFile(FILE_NAME, new Blob(parts, { type: "text/csv;charset=utf-8" }));
}
