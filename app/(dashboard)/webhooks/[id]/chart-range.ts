import { createLoader, createSerializer, parseAsStringLiteral } from "nuqs/server";
import type { SegmentedLinksProps } from "#components/ui/segmented.tsx";
import { spanMs } from "#components/ui/time-span.ts";

const ranges = {
  "24h": { label: "24 hours", buckets: 24 },
  "7d": { label: "7 days", buckets: 28 },
  "30d": { label: "30 days", buckets: 30 },
} as const;
type RangeId = keyof typeof ranges;

const rangeIds = Object.keys(ranges) as RangeId[];
const rangeParams = { range: parseAsStringLiteral(rangeIds).withDefault("24h") };
const rangeHref = createSerializer(rangeParams);
export const loadRange = createLoader(rangeParams);

export interface ChartRange {
  readonly id: RangeId;
  readonly spanMs: number;
  readonly buckets: number;
}

export function chartRangeOf(id: RangeId): ChartRange {
  return { id, spanMs: spanMs[id], buckets: ranges[id].buckets };
}

export function rangeLinks(pathname: string, current: ChartRange): SegmentedLinksProps["links"] {
  return rangeIds.map((id) => ({
    label: ranges[id].label,
    href: rangeHref(pathname, { range: id }),
    active: id === current.id,
  }));
}
