import { hrefOf } from "#app/search-params.ts";
import { spanMs } from "#components/ui/time-span.ts";
import type { RangeLink } from "#components/webhook/range-links.tsx";

const ranges = {
  "24h": { label: "24 hours", buckets: 24 },
  "7d": { label: "7 days", buckets: 28 },
  "30d": { label: "30 days", buckets: 30 },
} as const;
type RangeId = keyof typeof ranges;

const rangeIds = Object.keys(ranges) as RangeId[];
const DEFAULT_RANGE: RangeId = "24h";

export interface ChartRange {
  readonly id: RangeId;
  readonly spanMs: number;
  readonly buckets: number;
}

/** The default for anything else. */
export function parseRange(text: string | null): ChartRange {
  const id = rangeIds.find((known) => known === text) ?? DEFAULT_RANGE;
  return { id, spanMs: spanMs[id], buckets: ranges[id].buckets };
}

export function rangeLinks(pathname: string, current: ChartRange): RangeLink[] {
  return rangeIds.map((id) => ({
    label: ranges[id].label,
    href: hrefOf(pathname, { range: id === DEFAULT_RANGE ? null : id }),
    current: id === current.id,
  }));
}
