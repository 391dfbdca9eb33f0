export interface PageInput<Place> {
  /** The previous page's `next`; null for the first page. */
  readonly before: Place | null;
  readonly limit: number;
}

export interface Page<Row, Place> {
  readonly rows: readonly Row[];
  /** Where the next page begins; null at the end. */
  readonly next: Place | null;
  /** On all pages, up to one more than `COUNTED_AT_MOST`; null if there is one page, or if counting is expensive. */
  readonly total: number | null;
}

interface PagedList<Row, Place> {
  readonly list: (limit: number) => Promise<readonly Row[]>;
  /** Null: these filters would read too many rows. */
  readonly count: (() => Promise<number>) | null;
  readonly placeOf: (row: Row) => Place;
}

/** Reads one row more than a page, to detect a next one, and counts only where there is one. */
export async function readPage<Row, Place>(
  { before, limit }: PageInput<Place>,
  { list, count, placeOf }: PagedList<Row, Place>,
): Promise<Page<Row, Place>> {
  const found = await list(limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const next = last !== undefined && found.length > limit ? placeOf(last) : null;
  return { rows, next, total: await totalOf(next !== null || before !== null, count) };
}

/** Of lists that page in both directions, too. */
export async function totalOf(isPaged: boolean, count: (() => Promise<number>) | null): Promise<number | null> {
  return isPaged && count !== null ? count() : null;
}
