import { type Currency, roundHalfUp, toMajorText } from "#lib/domain/money.ts";
import { parseTypedAmount } from "#lib/domain/typed-amount.ts";

/** One amount that can be typed. Texts are decimal, in major units; empty: none. */
export interface GridCell {
  /** `<cycle>.<currency>.<field>`. */
  readonly id: string;
  /** "Monthly, price in USD". */
  readonly label: string;
  readonly currency: string;
  readonly stored: string;
  /** The list price, which holds while it is empty. */
  readonly fallback?: string;
  /** Minor units that the provider charges; null: not known in this currency. */
  readonly cost: bigint | null;
}

export interface GridPoint {
  readonly row: number;
  readonly column: number;
}

const WHOLE = 10_000n;

/** As a person or a spreadsheet writes an amount: with its symbol or code, in the currency's decimals afterwards. */
export function normalizeAmount(text: string, currency: string): string {
  const bare = text.replaceAll(/\p{Sc}|[A-Z]{3}/gu, "").trim();
  const { minor } = parseTypedAmount(bare, currency as Currency);
  return minor === undefined ? bare || text.trim() : toMajorText(minor, currency as Currency);
}

/** Minor units; null: none is typed, or it is no amount. */
export function amountOf(text: string, currency: string): bigint | null {
  const { minor = -1n } = text === "" ? {} : parseTypedAmount(text, currency as Currency);
  return minor < 0n ? null : minor;
}

/** What is wrong with a typed amount, or null. */
export function findAmountProblem(text: string, currency: string): string | null {
  if (text === "") return null;
  const { minor = -1n, problem } = parseTypedAmount(text, currency as Currency);
  return minor >= 0n ? null : (problem ?? "must be an amount, 0 or more");
}

/** The amount changed by hundredths of a percent, rounded half up to the currency's smallest unit; null: it is none. */
export function changeByPercent(text: string, currency: string, hundredths: bigint): string | null {
  const { minor } = parseTypedAmount(text, currency as Currency);
  if (minor === undefined) return null;
  const changed = roundHalfUp(minor * (WHOLE + hundredths), WHOLE);
  return toMajorText(changed < 0n ? 0n : changed, currency as Currency);
}

/** Lines of a spreadsheet's clipboard, cell by cell. */
export function readTsv(text: string): readonly (readonly string[])[] {
  return text
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)
    .map((line) => line.split("\t").map((cell) => cell.trim()));
}

export function toTsv(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => line.join("\t")).join("\n");
}

/** Whether a point is in the rectangle between two others. */
export function isBetween({ row, column }: GridPoint, one: GridPoint, other: GridPoint): boolean {
  return isWithin(row, one.row, other.row) && isWithin(column, one.column, other.column);
}

function isWithin(value: number, one: number, other: number): boolean {
  return value >= Math.min(one, other) && value <= Math.max(one, other);
}

/** The next cell that exists in a direction; the same one at the edge. */
export function step(
  cells: readonly (readonly (GridCell | null)[])[],
  from: GridPoint,
  { row, column }: GridPoint,
): GridPoint {
  for (let at = { row: from.row + row, column: from.column + column }; ; ) {
    const cell = cells[at.row]?.[at.column];
    if (cell === undefined) return from;
    if (cell !== null) return at;
    at = { row: at.row + row, column: at.column + column };
  }
}

/** The next cell in reading order, or the previous one; null at the end. */
export function stepInOrder(
  cells: readonly (readonly (GridCell | null)[])[],
  from: GridPoint,
  direction: 1 | -1,
): GridPoint | null {
  const points = cells.flatMap((line, row) => line.flatMap((cell, column) => (cell === null ? [] : [{ row, column }])));
  const at = points.findIndex(({ row, column }) => row === from.row && column === from.column);
  return points[at + direction] ?? null;
}

/** The cell with the focus, and the opposite corner of what is selected with it. */
export interface Selection {
  readonly focus: GridPoint;
  readonly anchor: GridPoint;
}

/** Whether more than one cell is selected. */
export function isRange({ focus, anchor }: Selection): boolean {
  return focus.row !== anchor.row || focus.column !== anchor.column;
}

/** Its upper left cell. */
export function cornerOf({ focus, anchor }: Selection): readonly [top: number, left: number] {
  return [Math.min(focus.row, anchor.row), Math.min(focus.column, anchor.column)];
}

export function selectedCells(
  rows: readonly { readonly cells: readonly (GridCell | null)[] }[],
  { focus, anchor }: Selection,
): readonly GridCell[] {
  return rows.flatMap(({ cells }, row) =>
    cells.flatMap((cell, column) => (cell !== null && isBetween({ row, column }, focus, anchor) ? [cell] : [])),
  );
}
