/** Counting a list reads its rows, so the total beside its pages stops here. */
export const COUNTED_AT_MOST = 1_000;
