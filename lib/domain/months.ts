/** The first instants of the last months in UTC, oldest first, that of `now` last. */
export function lastMonths(now: Date, count: number): Date[] {
  return Array.from(
    { length: count },
    (_, index) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count + 1 + index, 1)),
  );
}

/** `2026-11` */
export function formatMonth(month: Date): string {
  return month.toISOString().slice(0, 7);
}
