import type { ClipboardEvent } from "react";
import { cornerOf, normalizeAmount, readTsv, selectedCells, toTsv } from "./grid.ts";
import type { PriceGridProps } from "./price-grid.tsx";

interface ClipboardProps extends Pick<PriceGridProps, "rows" | "drafts" | "readOnly" | "selection" | "onSelect"> {
  /** A cell is being typed into: the clipboard is the field's. */
  readonly editing: boolean;
}

/** Dialogs that a row's header opens have fields of their own. */
const isOfCell = ({ target }: ClipboardEvent) => (target as Element).closest("td, dialog")?.matches("td") ?? false;

/** Blocks of amounts, exchanged with spreadsheets as TSV. */
export function useClipboard({ rows, drafts, readOnly, selection, onSelect, editing }: ClipboardProps) {
  const cells = rows.map((row) => row.cells);
  function onCopy(event: ClipboardEvent) {
    if (editing || !isOfCell(event)) return;
    const [top, left] = cornerOf(selection);
    const bottom = Math.max(selection.focus.row, selection.anchor.row);
    const right = Math.max(selection.focus.column, selection.anchor.column);
    const lines = cells.slice(top, bottom + 1).map((line) => line.slice(left, right + 1));
    const text = toTsv(lines.map((line) => line.map((cell) => (cell === null ? "" : drafts.textOf(cell)))));
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
  }
  function onPaste(event: ClipboardEvent) {
    if (editing || readOnly || !isOfCell(event)) return;
    event.preventDefault();
    const lines = readTsv(event.clipboardData.getData("text/plain"));
    const [top, left] = cornerOf(selection);
    const single = lines.length === 1 && lines[0]?.length === 1 ? (lines[0]?.[0] ?? "") : null;
    const target = (row: number, column: number) => cells[top + row]?.[left + column] ?? null;
    const pasted =
      single === null
        ? lines.flatMap((line, row) => line.map((text, column) => [target(row, column), text] as const))
        : selectedCells(rows, selection).map((cell) => [cell, single] as const);
    drafts.set(
      Object.fromEntries(
        pasted.flatMap(([cell, text]) => (cell === null ? [] : [[cell.id, normalizeAmount(text, cell.currency)]])),
      ),
    );
    const last = {
      row: Math.min(top + lines.length, rows.length) - 1,
      column: left + Math.max(...lines.map((line) => line.length)) - 1,
    };
    if (single === null) onSelect({ focus: selection.focus, anchor: last });
  }
  return { onCopy, onPaste };
}
