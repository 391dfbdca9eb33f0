/** Of lists in the dashboard, unless they say otherwise. */
export const ROWS_PER_PAGE = 50;

/** Counting a list reads its rows, so the total beside its pages stops here. */
export const COUNTED_AT_MOST = 1_000;
