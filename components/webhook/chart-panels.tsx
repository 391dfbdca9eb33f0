import { Key } from "#components/chart/key.tsx";
import { Line } from "#components/chart/line.tsx";
import { Panel } from "#components/chart/panel.tsx";
import { scaleTop } from "#components/chart/scale.ts";
import { cx } from "#components/ui/cx.ts";
import { numberText } from "#lib/domain/count-text.ts";
import type { ChartBucket } from "./chart.ts";
import { durationText } from "./rate-text.ts";

export interface PanelProps {
  readonly buckets: readonly ChartBucket[];
  /** Pointed at. */
  readonly index: number | null;
  readonly onPoint: (index: number) => void;
}

/** Attempts, the failed ones on top. */
export function AttemptBars(props: PanelProps) {
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
export function LatencyLines(props: PanelProps) {
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
