import type { ReactNode } from "react";
import { cx } from "#components/ui/cx.ts";

export interface ChartPanelProps {
  /** One for each stretch of time. */
  readonly keys: readonly string[];
  /** Pointed at. */
  readonly index: number | null;
  readonly onPoint: (index: number) => void;
  readonly label: ReactNode;
  /** What the upper line stands for. */
  readonly topLabel: string;
  readonly heightClassName: string;
  readonly children: ReactNode;
}

/** The scale's lines, and a column for each stretch of time to point at. */
export function Panel({ keys, index, onPoint, label, topLabel, heightClassName, children }: ChartPanelProps) {
  return (
    <div aria-hidden>
      <div className="flex justify-between text-text-muted text-xs">
        <span>{label}</span>
        <span className="tabular">{topLabel}</span>
      </div>
      <div className={cx("relative mt-1 border-t border-b", heightClassName)}>
        <div className="absolute inset-x-0 top-1/2 border-t border-dashed opacity-60" />
        <div className="absolute inset-0 flex">
          {keys.map((key, position) => (
            <div
              className={cx("flex-1", position === index && "bg-surface-selected")}
              key={key}
              onPointerEnter={() => onPoint(position)}
            />
          ))}
        </div>
        {children}
      </div>
    </div>
  );
}
