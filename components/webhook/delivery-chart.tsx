"use client";
import { useState } from "react";
import { Key } from "#components/chart/key.tsx";
import { Line } from "#components/chart/line.tsx";
import { Panel } from "#components/chart/panel.tsx";
import { scaleTop } from "#components/chart/scale.ts";
import { cx } from "#components/ui/cx.ts";
import { durationText } from "#components/ui/duration-text.ts";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { numberText } from "#lib/domain/count-text.ts";
import type { StatsBucketRow } from "#lib/services/webhook/stats.ts";
import { totalsOf } from "./chart.ts";
import { rateText } from "./rate-text.ts";

/** Attempts and how long they took, over time; pointed at, one stretch of it. The table below says the same. */
interface DeliveryChartProps {
  readonly buckets: readonly StatsBucketRow[];
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

function endOf({ from }: StatsBucketRow, bucketMs: number): Date {
  return new Date(from.getTime() + bucketMs);
}

interface ReadoutProps {
  readonly pointed: StatsBucketRow | null;
  readonly whole: readonly StatsBucketRow[];
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

interface PanelProps {
  readonly buckets: readonly StatsBucketRow[];
  /** Pointed at. */
  readonly index: number | null;
  readonly onPoint: (index: number) => void;
}

/** Attempts, the failed ones on top. */
function AttemptBars(props: PanelProps) {
  const { buckets } = props;
  const top = scaleTop(Math.max(...buckets.map(({ succeeded, failed }) => succeeded + failed)));
  return (
    <Panel {...frameOf(props)} heightClassName="h-32" label="Attempts" topLabel={`0–${numberText(top)}`}>
      <div aria-hidden className="pointer-events-none absolute inset-0 flex items-end">
        {buckets.map(({ from, succeeded, failed }) => (
          <div className="flex h-full flex-1 flex-col justify-end gap-px px-px" key={from.getTime()}>
            {failed > 0 && (
              <span
                className="min-h-0.5 rounded-t-xs bg-critical-fill"
                style={{ height: `${(100 * failed) / top}%` }}
              />
            )}
            {succeeded > 0 && (
              <span
                className={cx("min-h-0.5 bg-accent", failed === 0 && "rounded-t-xs")}
                style={{ height: `${(100 * succeeded) / top}%` }}
              />
            )}
          </div>
        ))}
      </div>
    </Panel>
  );
}

/** How long the attempts that succeeded took; nothing while none has. */
function LatencyLines(props: PanelProps) {
  const { buckets } = props;
  if (buckets.every(({ p95Ms }) => p95Ms === null)) return null;
  const top = scaleTop(Math.max(...buckets.map(({ p95Ms }) => p95Ms ?? 0)));
  return (
    <Panel
      {...frameOf(props)}
      heightClassName="h-20"
      label={
        <span className="flex flex-wrap items-center gap-x-3">
          Duration
          <Key className="w-4 border-accent-text border-t-2">median</Key>
          <Key className="w-4 border-text-muted border-t-2 border-dashed">95th percentile</Key>
        </span>
      }
      topLabel={`0–${durationText(top)}`}
    >
      <Line className="stroke-text-muted" dashed top={top} values={buckets.map(({ p95Ms }) => p95Ms)} />
      <Line className="stroke-accent-text" top={top} values={buckets.map(({ p50Ms }) => p50Ms)} />
    </Panel>
  );
}

function frameOf({ buckets, index, onPoint }: PanelProps) {
  return { keys: buckets.map(({ from }) => from.toISOString()), index, onPoint };
}
