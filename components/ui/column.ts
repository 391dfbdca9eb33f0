import type { ReactNode } from "react";

/** A link that sorts, and how the list is sorted now. */
export interface ColumnSort {
  readonly href: string;
  readonly direction: "ascending" | "descending" | null;
}

export interface NamedColumn {
  readonly name: string;
  readonly align?: "end";
  readonly sort?: ColumnSort;
  /** For row menus: named, but not shown. */
  readonly hidden?: true;
  /** Shown instead of the name, e.g. with a box that selects all. */
  readonly head?: ReactNode;
}

/** Of a table; a text is the column's name. Nothing: a column that this table does not have. */
export type Column = string | NamedColumn | false | undefined;

/** A column of numbers. */
export function atEnd(name: string): Column {
  return { name, align: "end" };
}
