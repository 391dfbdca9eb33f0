/** With what a spreadsheet begins a formula; the wide ones are typed in East Asia. */
const formulaSigns = new Set("=+-@＝＋－＠");
/** What some spreadsheets skip before it. */
const skipped = /[\s"']/;
/**
 * Where a spreadsheet may begin a cell that we did not: one whose language separates cells by semicolons or tabs reads
 * no quotes in the middle of its cells, and so none of ours.
 */
const cellEnds = new Set([";", "\t", "\r", "\n"]);
const guard = "'";
const needsQuotes = /[",;\t\r\n]/;
/** What we have written ourselves: a sign in front of digits starts no formula. */
const decimal = /^-?\d{1,18}(\.\d{1,3})?$/;

declare const csv: unique symbol;
/** Text that nothing but `csvRecord` and `csvRecords` makes: downloads take no other. */
export type CsvText = string & { readonly [csv]: never };

/** One record of RFC 4180, with its line end. However a spreadsheet cuts it, no part becomes a formula. */
export function csvRecord(cells: readonly string[]): CsvText {
  return `${cells.map(csvCell).join(",")}\r\n` as CsvText;
}

export function csvRecords(records: readonly (readonly string[])[]): CsvText {
  return records.map(csvRecord).join("") as CsvText;
}

function csvCell(text: string, index: number): string {
  // The first cell may be read as one with all that follow it.
  const safe = index > 0 && decimal.test(text) ? text : withFormulaGuards(text);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function withFormulaGuards(text: string): string {
  return cutAt(text, formulaPlaces(text)).join(guard);
}

/** What a cell said before `csvRecord` kept it from being a formula; the same for any other cell. */
export function withoutFormulaGuard(cell: string): string {
  const [first = "", ...rest] = cutAt(
    cell,
    formulaPlaces(cell).filter((place) => cell[place] === guard),
  );
  return first + rest.map((piece) => piece.slice(guard.length)).join("");
}

function cutAt(text: string, places: readonly number[]): string[] {
  return [0, ...places].map((place, index) => text.slice(place, places[index]));
}

/** Where cells that are formulas might begin, in order. Guarded ones are found, too: a guard is among what is skipped. */
function formulaPlaces(text: string): number[] {
  const places: number[] = [];
  let formulaFollows = false;
  for (let at = text.length - 1; at >= 0; at--) {
    const char = text.charAt(at);
    formulaFollows = formulaSigns.has(char) || (formulaFollows && skipped.test(char));
    const beginsCell = at === 0 || cellEnds.has(text.charAt(at - 1));
    if (formulaFollows && beginsCell) places.push(at);
  }
  return places.reverse();
}
