import { Panel } from "#components/chart/panel.tsx";
import { linePath, scaleTop } from "#components/chart/scale.ts";
import { cx } from "#components/ui/cx.ts";
import { formatLocale } from "#lib/domain/format-locale.ts";
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
    <Panel
      {...frameOf(props)}
      heightClassName="h-32"
      label="Attempts"
      topLabel={`0–${top.toLocaleString(formatLocale())}`}
    >
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
          <Key className="border-accent-text">median</Key>
          <Key className="border-text-muted border-dashed">95th percentile</Key>
        </span>
      }
      topLabel={`0–${durationText(top)}`}
    >
      <svg
        aria-hidden="true"
        className="pointer-events-none absolute inset-0 size-full overflow-visible"
        fill="none"
        preserveAspectRatio="none"
        strokeLinecap="round"
        strokeLinejoin="round"
        viewBox={`0 0 ${buckets.length} 100`}
      >
        <path
          className="stroke-text-muted"
          d={linePath(
            buckets.map(({ p95Ms }) => p95Ms),
            top,
          )}
          strokeDasharray="3 4"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
        <path
          className="stroke-accent-text"
          d={linePath(
            buckets.map(({ p50Ms }) => p50Ms),
            top,
          )}
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </Panel>
  );
}

function Key({ className, children }: { readonly className: string; readonly children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={cx("w-4 border-t-2", className)} />
      {children}
    </span>
  );
}

function frameOf({ buckets, index, onPoint }: PanelProps) {
  return { keys: buckets.map(({ from }) => from.toISOString()), index, onPoint };
}
