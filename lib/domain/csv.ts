/** What a spreadsheet would take for a formula; a leading apostrophe makes it text. */
const formulaStart = /^[=+\-@\t\r\n]/;
const needsQuotes = /[",\r\n]/;
/** What we have written ourselves: a sign in front of digits starts no formula. */
const decimal = /^-?\d+(\.\d+)?$/;

/** What a cell said before `csvRecord` kept it from being a formula; the same for any other cell. */
export function withoutFormulaGuard(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell.slice(1)) ? cell.slice(1) : cell;
}

/** One record of RFC 4180, with its line end. Cells cannot become formulas in a spreadsheet. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = formulaStart.test(text) && !decimal.test(text) ? `'${text}` : text;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
