/** Signs that start a formula in spreadsheets; the wide ones are typed in East Asia. */
const formulaSigns = new Set("=+-@＝＋－＠");
/** Characters that some spreadsheets skip before a formula. */
const skipped = /[\s"']/;
/**
 * Characters that may end a cell elsewhere than ours do: with semicolons or tabs as separators, a spreadsheet ignores
 * quotes in the middle of a cell.
 */
const cellEnds = new Set([";", "\t", "\r", "\n"]);
const guard = "'";
const needsQuotes = /[",;\t\r\n]/;
/** Amounts we wrote ourselves: a minus sign before digits starts no formula. */
const decimal = /^-?\d{1,18}(\.\d{1,3})?$/;

declare const csv: unique symbol;
/** Created only by `csvRecord` and `csvRecords`; the only type downloads accept. */
export type CsvText = string & { readonly [csv]: never };

/** One record of RFC 4180 with its line end. No part of it becomes a formula, however it is split. */
export function csvRecord(cells: readonly string[]): CsvText {
  return `${cells.map(csvCell).join(",")}\r\n` as CsvText;
}

export function csvRecords(records: readonly (readonly string[])[]): CsvText {
  return records.map(csvRecord).join("") as CsvText;
}

function csvCell(text: string, index: number): string {
  // A spreadsheet may merge the first cell with everything after it.
  const safe = index > 0 && decimal.test(text) ? text : withFormulaGuards(text);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function withFormulaGuards(text: string): string {
  return cutAt(text, formulaPlaces(text)).join(guard);
}

/** Reverts the guard of `csvRecord`; any other cell is returned unchanged. */
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

/** Positions where a formula might begin, in order, including guarded ones. */
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
