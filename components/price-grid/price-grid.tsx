"use client";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { shownAmount } from "#components/ui/money-text.ts";
import { FoldButton, useFolds } from "./folds.tsx";
import {
  type GridCell,
  type GridPoint,
  isBetween,
  isRange,
  normalizeAmount,
  type Selection,
  selectedCells,
  step,
  stepInOrder,
} from "./grid.ts";
import { useClipboard } from "./use-clipboard.ts";
import type { Drafts } from "./use-drafts.ts";

export interface GridRow {
  readonly key: string;
  /** Names the row; beside it, what is not typed. */
  readonly header: ReactNode;
  readonly facts?: readonly ReactNode[];
  /** One a column; null: nothing can be typed there. */
  readonly cells: readonly (GridCell | null)[];
  /** Below the amounts, such as the markup. */
  readonly notes?: readonly ReactNode[];
  /** Belongs to the row above. */
  readonly inner?: boolean;
  /** What phones show of it in a long grid until it is opened. */
  readonly summary?: string;
}

export interface PriceGridProps {
  readonly label: string;
  /** Above the row headers, then above the facts. */
  readonly heads: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly GridRow[];
  readonly drafts: Drafts;
  readonly readOnly: boolean;
  /** Phones show the column of the selection, and those with a problem. Else each row is a card there. */
  readonly columnwise?: boolean;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

const moves: Readonly<Record<string, GridPoint>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

/** Amounts with the keys of a spreadsheet (docs/decisions/0068). */
export function PriceGrid(props: PriceGridProps) {
  const { label, heads, columns, rows, drafts, readOnly, columnwise = false, selection, onSelect } = props;
  const [editing, setEditing] = useState<string | null>(null);
  const folds = useFolds(rows);
  const inputsRef = useRef(new Map<string, HTMLInputElement>());
  const cells = rows.map((row) => row.cells);
  const at = ({ row, column }: GridPoint) => cells[row]?.[column] ?? null;
  const invalidIds = new Set(drafts.problems.map(({ cell }) => cell.id));
  const outdatedIds = new Set(drafts.changedMeanwhile.map(({ id }) => id));
  const clipboard = useClipboard({ ...props, editing: editing !== null });
  const shown = columns.map(
    (_, column) =>
      column === selection.focus.column ||
      cells.some((line) => invalidIds.has(line[column]?.id ?? "") || outdatedIds.has(line[column]?.id ?? "")),
  );

  function go(focus: GridPoint, extend = false) {
    folds.reveal(rows[focus.row]?.key);
    // Before the focus goes there: a hidden field takes none.
    flushSync(() => onSelect({ focus, anchor: extend ? selection.anchor : focus }));
    inputsRef.current.get(at(focus)?.id ?? "")?.focus();
  }
  function commit(cell: GridCell) {
    setEditing(null);
    const text = normalizeAmount(drafts.textOf(cell), cell.currency);
    if (text !== drafts.textOf(cell)) drafts.set({ [cell.id]: text });
  }
  function leaveEditing(event: KeyboardEvent, cell: GridCell, point: GridPoint) {
    if (event.key === "Enter") {
      event.preventDefault();
      commit(cell);
      go(step(cells, point, { row: event.shiftKey ? -1 : 1, column: 0 }));
    } else if (event.key === "Escape") {
      event.preventDefault();
      drafts.set({ [cell.id]: editing ?? cell.stored });
      setEditing(null);
    } else if (event.key === "Tab") {
      commit(cell);
      tab(event, point);
    }
  }
  function tab(event: KeyboardEvent, point: GridPoint) {
    const next = stepInOrder(cells, point, event.shiftKey ? -1 : 1);
    if (next === null) return;
    event.preventDefault();
    go(next);
  }
  function startEditing(cell: GridCell, text: string) {
    if (readOnly) return;
    const before = drafts.textOf(cell);
    // The key that is being pressed is typed into the field, which must be one by then.
    flushSync(() => {
      setEditing(before);
      if (text !== before) drafts.set({ [cell.id]: text });
    });
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>, cell: GridCell, point: GridPoint) {
    if (event.nativeEvent.isComposing) return;
    if (editing !== null) return leaveEditing(event, cell, point);
    const command = event.ctrlKey || event.metaKey;
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      const next = step(cells, point, move);
      go(next, event.shiftKey);
      if (event.key === "ArrowLeft" && !event.shiftKey && next === point) menuOf(event.currentTarget)?.focus();
    } else if (event.key === "Tab") tab(event, point);
    else if (event.key === "Escape") go(point);
    else if (command && event.key.toLowerCase() === "a") {
      event.preventDefault();
      onSelect({ focus: { row: rows.length - 1, column: columns.length - 1 }, anchor: { row: 0, column: 0 } });
    } else if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      startEditing(cell, drafts.textOf(cell));
    } else if ((event.key === "Delete" || event.key === "Backspace") && !readOnly) {
      event.preventDefault();
      drafts.set(Object.fromEntries(selectedCells(rows, selection).map(({ id }) => [id, ""])));
    } else if (event.key.length === 1 && !command && !event.altKey) startEditing(cell, "");
  }

  return (
    <div className="overflow-x-auto">
      <table
        aria-label={label}
        aria-multiselectable
        className="price-grid"
        data-columnwise={columnwise || undefined}
        data-range={isRange(selection) || undefined}
        data-several={shown.filter(Boolean).length > 1 || undefined}
        {...clipboard}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are fields, as in a spreadsheet
        role="grid"
      >
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            {columns.map((column, index) => (
              <th data-amount data-off={!shown[index] || undefined} key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, header, facts = [], notes, cells: line, inner, summary }, row) => (
            <tr data-folded={!folds.isOpen(key) || undefined} data-inner={inner || undefined} key={key}>
              <th
                onKeyDown={({ key: pressed, target }) => {
                  const first = line.findIndex((cell) => cell !== null);
                  if (pressed === "ArrowRight" && isMenu(target) && first !== -1) go({ row, column: first });
                }}
                scope="row"
              >
                {header}
                <FoldButton folds={folds} of={key} summary={summary} />
              </th>
              {facts.map((fact, index) => (
                <td data-label={heads[index + 1]} key={heads[index + 1]}>
                  {fact}
                </td>
              ))}
              {line.map((cell, column) => {
                if (cell === null) return <td key={`${key} ${columns[column]}`} />;
                const point = { row, column };
                const selected = isBetween(point, selection.focus, selection.anchor);
                const focused = selection.focus.row === row && selection.focus.column === column;
                const typing = focused && editing !== null;
                return (
                  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: in a grid it is a gridcell
                  <td
                    aria-selected={selected}
                    data-label={columns[column]}
                    data-off={!shown[column] || undefined}
                    key={cell.id}
                  >
                    <input
                      aria-invalid={invalidIds.has(cell.id) || undefined}
                      aria-label={cell.label}
                      autoComplete="off"
                      data-changed={drafts.textOf(cell) !== cell.stored || undefined}
                      data-outdated={outdatedIds.has(cell.id) || undefined}
                      inputMode="decimal"
                      onBlur={() => typing && commit(cell)}
                      onChange={({ target }) => drafts.set({ [cell.id]: target.value })}
                      onClick={({ nativeEvent }) => {
                        if ((nativeEvent as PointerEvent).pointerType === "touch")
                          startEditing(cell, drafts.textOf(cell));
                      }}
                      onDoubleClick={() => startEditing(cell, drafts.textOf(cell))}
                      onFocus={() => !focused && onSelect({ focus: point, anchor: point })}
                      onKeyDown={(event) => onKeyDown(event, cell, point)}
                      onMouseDown={(event) => {
                        if (event.shiftKey) {
                          event.preventDefault();
                          go(point, true);
                        }
                      }}
                      placeholder={cell.fallback ? `${shownAmount(cell.fallback)} list` : "–"}
                      readOnly={!typing}
                      ref={(input) => {
                        if (input) inputsRef.current.set(cell.id, input);
                        else inputsRef.current.delete(cell.id);
                      }}
                      tabIndex={focused ? 0 : -1}
                      value={typing ? drafts.textOf(cell) : shownAmount(drafts.textOf(cell))}
                    />
                    {notes?.[column] && <small>{notes[column]}</small>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const MENU = "button[aria-haspopup=menu]";

/** Of the row: left of its first amount. */
function menuOf(input: HTMLElement): HTMLElement | null {
  return input.closest("tr")?.querySelector<HTMLElement>(MENU) ?? null;
}

function isMenu(target: EventTarget): boolean {
  return target instanceof Element && target.matches(MENU);
}
