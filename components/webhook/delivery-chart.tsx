"use client";
import { useState } from "react";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import { type ChartBucket, totalsOf } from "./chart.ts";
import { AttemptBars, LatencyLines } from "./chart-panels.tsx";
import { durationText, rateText } from "./rate-text.ts";

/** Attempts and how long they took, over time; pointed at, one stretch of it. The table below says the same. */
export interface DeliveryChartProps {
  readonly buckets: readonly ChartBucket[];
  readonly bucketMs: number;
}

export function DeliveryChart({ buckets, bucketMs }: DeliveryChartProps) {
  const [index, setIndex] = useState<number | null>(null);
  const pointed = index === null ? null : (buckets[index] ?? null);
  const last = buckets.at(-1);
  return (
    <div className="flex flex-col gap-1" onPointerLeave={() => setIndex(null)}>
      <Readout bucketMs={bucketMs} pointed={pointed} whole={buckets} />
      <div className="flex flex-col gap-4">
        <AttemptBars buckets={buckets} index={index} onPoint={setIndex} />
        <LatencyLines buckets={buckets} index={index} onPoint={setIndex} />
      </div>
      <div aria-hidden className="flex justify-between text-text-muted text-xs">
        {buckets[0] && <Timestamp value={buckets[0].from} />}
        {last && <Timestamp value={endOf(last, bucketMs)} />}
      </div>
    </div>
  );
}

function endOf({ from }: ChartBucket, bucketMs: number): Date {
  return new Date(from.getTime() + bucketMs);
}

interface ReadoutProps {
  readonly pointed: ChartBucket | null;
  readonly whole: readonly ChartBucket[];
  readonly bucketMs: number;
}

function Readout({ pointed, whole, bucketMs }: ReadoutProps) {
  const { succeeded, failed } = pointed ?? totalsOf(whole);
  return (
    <div className="mb-2 flex min-h-10 flex-wrap items-end justify-between gap-x-6 gap-y-1 text-sm">
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        <Figure term="Delivery rate">{rateText({ succeeded, failed })}</Figure>
        <Figure swatch="bg-accent" term="Succeeded">
          {numberText(succeeded)}
        </Figure>
        <Figure swatch="bg-critical-fill" term="Failed">
          {numberText(failed)}
        </Figure>
        {pointed?.p50Ms != null && pointed.p95Ms != null && (
          <>
            <Figure term="Median">{durationText(pointed.p50Ms)}</Figure>
            <Figure term="95th percentile">{durationText(pointed.p95Ms)}</Figure>
          </>
        )}
      </dl>
      <p className="text-text-muted text-xs">
        {pointed && (
          <>
            <Timestamp value={pointed.from} /> – <Timestamp value={endOf(pointed, bucketMs)} />
          </>
        )}
      </p>
    </div>
  );
}

interface FigureProps {
  readonly term: string;
  readonly swatch?: string;
  readonly children: string;
}

function Figure({ term, swatch, children }: FigureProps) {
  return (
    <div>
      <dt className="flex items-center gap-1.5 text-text-muted text-xs">
        {swatch && <span aria-hidden className={`size-2 rounded-xs ${swatch}`} />}
        {term}
      </dt>
      <dd className="tabular font-medium">{children}</dd>
    </div>
  );
}
