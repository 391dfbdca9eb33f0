// biome-ignore-all lint/a11y/noRedundantRoles: on phones CSS makes cards of the rows, and some browsers then forget that it is a table
"use client";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactNode, useRef } from "react";
import type { Column, NamedColumn } from "./column.ts";
import { Link } from "./link.tsx";
import { useRowNavigation } from "./use-row-navigation.ts";

export interface TableProps {
  /** What the table lists, for assistive technology. */
  readonly label: string;
  /** It may be wider than its place on large screens, too. */
  readonly scrolls?: boolean;
  /** Few short columns, which stay columns on phones. */
  readonly compact?: boolean;
  readonly columns: readonly Column[];
  /** `Row`s. */
  readonly children: ReactNode;
}

/**
 * Dense table with a sticky head; j and k move between the row links. On phones each row is a card; on small screens the
 * table scrolls sideways where it has more columns than room, and its head stays at its own top.
 */
export function Table({ label, scrolls = false, compact = false, columns, children }: TableProps) {
  const ref = useRef<HTMLTableElement>(null);
  useRowNavigation(ref);
  return (
    <div className="table-frame" data-scrolls={scrolls || undefined}>
      <table aria-label={label} className="data-table" data-compact={compact || undefined} ref={ref} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(
              (column, index) =>
                // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal, and the order is fixed
                column && <ColumnHead {...named(column)} key={index} />,
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">{children}</tbody>
      </table>
    </div>
  );
}

function named(column: string | NamedColumn): NamedColumn {
  return typeof column === "string" ? { name: column } : column;
}

function ColumnHead({ name, align, sort, hidden, head }: NamedColumn) {
  return (
    <th
      aria-label={head ? name : undefined}
      aria-sort={sort?.direction ?? undefined}
      data-align={align}
      role="columnheader"
      scope="col"
    >
      {sort ? (
        <Link className="inline-flex min-h-6 items-center gap-1 rounded-sm hover:text-text" href={sort.href}>
          {name}
          {sort.direction === "ascending" && <ArrowUp className="size-3" />}
          {sort.direction === "descending" && <ArrowDown className="size-3" />}
        </Link>
      ) : (
        <span className={hidden ? "sr-only" : undefined}>{head ?? name}</span>
      )}
    </th>
  );
}

export function Row({ children }: { readonly children: ReactNode }) {
  return <tr role="row">{children}</tr>;
}

/** After a row with `details`: what these open, as wide as the table. Without a script. */
export function DetailRow({ columns, children }: { readonly columns: number; readonly children: ReactNode }) {
  return (
    <tr data-detail="" role="row">
      <td colSpan={columns} role="cell">
        {children}
      </td>
    </tr>
  );
}

export interface CellProps {
  /** The column's name, shown before the value on phones. */
  readonly label?: string;
  readonly align?: "start" | "end";
  readonly mono?: boolean;
  readonly muted?: boolean;
  /** On phones: `title` heads the card, `corner` sits at its upper right (badge, menu), `beside` shares the line before, `actions` holds its buttons; `hidden` is left out. */
  readonly phone?: "line" | "title" | "corner" | "beside" | "actions" | "hidden";
  /** There is nothing to show: a dash, and on phones no line. */
  readonly empty?: boolean;
  readonly children: ReactNode;
}

export function Cell(props: CellProps) {
  const { label, align, mono, muted, empty = false, phone = empty ? "hidden" : "line", children } = props;
  return (
    <td data-align={align} data-mono={mono || undefined} data-muted={muted || undefined} data-phone={phone} role="cell">
      {label && phone === "line" && (
        <span aria-hidden data-cell-label="">
          {label}
        </span>
      )}
      {empty ? <None /> : children}
    </td>
  );
}

function None() {
  return (
    <span className="text-text-muted">
      <span aria-hidden>–</span>
      <span className="sr-only">none</span>
    </span>
  );
}

/** In the row's first cell: one real link whose area is the whole row. Give other controls of the row `RowControl`. */
export function RowLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link
      data-row-link=""
      href={href}
      // Fifty rows in view would be fifty requests.
    >
      {children}
    </Link>
  );
}

/** Lifts a button or menu above the row's link. */
export function RowControl({ children }: { readonly children: ReactNode }) {
  return <span data-row-control="">{children}</span>;
}
