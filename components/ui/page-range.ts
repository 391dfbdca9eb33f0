/** Rows of a page by number. */
export interface PageRange {
  /** From 1; null where the address does not have it. */
  readonly start: number | null;
  readonly end: number;
  /** Rows on all pages, which the last page shows; null on others. */
  readonly all: number | null;
}

export function rangeOf(page: {
  /** Number of its first row, from the address. */
  readonly row: number | null;
  readonly count: number;
  readonly isLast: boolean;
}): PageRange {
  const { row, count, isLast } = page;
  const start = row !== null && row >= 1 && count > 0 ? row : null;
  if (start === null) return { start: null, end: count, all: null };
  const end = start + count - 1;
  return { start, end, all: isLast ? end : null };
}

/** The address of a page that begins with this row; null: not known. */
export function rowHref(href: string, row: number | null): string {
  if (row === null || row === 1) return href;
  return `${href}${href.includes("?") ? "&" : "?"}row=${row}`;
}
