const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Stretches of time that end now. */
export const spans = ["1h", "24h", "7d", "30d"] as const;
export type Span = (typeof spans)[number];

export const spanNames = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
} as const satisfies Record<Span, string>;

export const spanMs = {
  "1h": HOUR_MS,
  "24h": DAY_MS,
  "7d": 7 * DAY_MS,
  "30d": 30 * DAY_MS,
} as const satisfies Record<Span, number>;

/** As in the URL: a span that ends now, or a range (ISO 8601, UTC) with at least one end. */
export interface TimeRange {
  readonly span: Span | null;
  readonly from: string | null;
  readonly until: string | null;
}

/** What a service filters by. A span wins over a range. */
export function timeLimitsOf(
  { span, from, until }: TimeRange,
  now: Date,
): { readonly from?: Date; readonly until?: Date } {
  if (span !== null) return { from: new Date(now.getTime() - spanMs[span]) };
  return {
    ...(from === null ? {} : { from: new Date(from) }),
    ...(until === null ? {} : { until: new Date(until) }),
  };
}

/**
 * What `<input type="datetime-local">` holds in a zone (undefined: the browser's) → ISO 8601, UTC; null for nothing. The
 * first of a time that occurs twice; for one that the clocks skip, what they show instead.
 */
export function fromLocalInput(text: string, zone: string | undefined): string | null {
  const asUtc = Date.parse(`${text}Z`);
  if (Number.isNaN(asUtc)) return null;
  const candidates = [asUtc - DAY_MS, asUtc + DAY_MS].map((at) => asUtc - offsetMs(at, zone));
  const fitting = candidates.filter((at) => at + offsetMs(at, zone) === asUtc);
  return new Date(fitting.length > 0 ? Math.min(...fitting) : Math.max(...candidates)).toISOString();
}

/** The start of a day (`2027-01-31`) in a zone, so many days later: ISO 8601, UTC; null for nothing. */
export function fromLocalDay(day: string, zone: string | undefined, daysLater = 0): string | null {
  const asUtc = Date.parse(`${day}T00:00Z`);
  if (Number.isNaN(asUtc)) return null;
  return fromLocalInput(toLocalInput(new Date(asUtc + daysLater * DAY_MS).toISOString(), "UTC"), zone);
}

/** The day in a zone of the last instant before `until`, or of an instant; empty for null. */
export function toLocalDay(iso: string | null, zone: string | undefined, isEnd = false): string {
  if (iso === null) return "";
  return toLocalInput(new Date(Date.parse(iso) - (isEnd ? 1 : 0)).toISOString(), zone).slice(0, "2027-01-31".length);
}

/** The other way. */
export function toLocalInput(iso: string, zone: string | undefined): string {
  // Swedish dates are ISO 8601's.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: zone });
  return format.format(new Date(iso)).replace(" ", "T");
}

/** Of a whole minute. */
function offsetMs(at: number, zone: string | undefined): number {
  return Date.parse(`${toLocalInput(new Date(at).toISOString(), zone)}Z`) - at;
}
