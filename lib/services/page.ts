import type { Listing } from "#lib/db/connection/listing.ts";
import { ROWS_PER_PAGE } from "#lib/domain/paging.ts";

export interface PageInput<Place> {
  /** The previous page's `next`; null for the first page. */
  readonly before: Place | null;
  /** Default: `ROWS_PER_PAGE`. */
  readonly limit?: number;
}

export interface Page<Row, Place> {
  readonly rows: readonly Row[];
  /** Where the next page begins; null at the end. */
  readonly next: Place | null;
  /** On all pages, up to one more than `COUNTED_AT_MOST`; null if there is one page, or if counting is expensive. */
  readonly total: number | null;
}

/** Reads one row more than a page, to detect a next one, and counts only where there is one. */
export async function readPage<Row, Place>(
  { before, limit = ROWS_PER_PAGE }: PageInput<Place>,
  { list, count }: Listing<Row, Place>,
  placeOf: (row: Row) => Place,
): Promise<Page<Row, Place>> {
  const found = await list({ before, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const next = last !== undefined && found.length > limit ? placeOf(last) : null;
  return { rows, next, total: await totalOf(next !== null || before !== null, count) };
}

/** Of a list that pages in both directions. At most one of `onward` and `back` is set; both null: the first page. */
interface TwoWayPlace<Place> {
  /** The previous page's `next`. */
  readonly onward: Place | null;
  /** The next page's `previous`. */
  readonly back: Place | null;
  readonly limit: number;
}

export interface TwoWayPage<Row, Place> extends Page<Row, Place> {
  /** Where the previous page ends; null at the start. */
  readonly previous: Place | null;
}

/** `readPage` in both directions. Paging back to less than a page reads the whole first page. */
export async function readTwoWayPage<Row, Place>(
  { onward, back, limit = ROWS_PER_PAGE }: Omit<TwoWayPlace<Place>, "limit"> & Pick<PageInput<Place>, "limit">,
  of: {
    readonly list: (at: TwoWayPlace<Place>) => Promise<readonly Row[]>;
    readonly count: Listing<Row, Place>["count"];
    readonly placeOf: (row: Row) => Place;
  },
): Promise<TwoWayPage<Row, Place>> {
  const found = await of.list({ onward, back, limit: limit + 1 });
  if (back !== null && found.length < limit) return readTwoWayPage({ onward: null, back: null, limit }, of);
  const more = found.length > limit;
  const rows = back === null ? found.slice(0, limit) : found.slice(-limit);
  const [first, last] = [rows.at(0), rows.at(-1)];
  return {
    rows,
    next: last !== undefined && (back !== null || more) ? of.placeOf(last) : null,
    previous: first !== undefined && (back === null ? onward !== null : more) ? of.placeOf(first) : null,
    total: await totalOf(more || onward !== null || back !== null, of.count),
  };
}

async function totalOf(isPaged: boolean, count: (() => Promise<number>) | null): Promise<number | null> {
  return isPaged && count !== null ? count() : null;
}
