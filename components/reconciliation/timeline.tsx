import type { ReactNode } from "react";
import { Card } from "#components/ui/card.tsx";
import { cx } from "#components/ui/cx.ts";
import { Timestamp } from "#components/ui/timestamp.tsx";

export interface TimelineEntry {
  readonly id: string;
  readonly title: string;
  readonly detail?: ReactNode;
  /** Null for what is not over. */
  readonly at: Date | null;
  /** Who; empty for what happened by itself. */
  readonly by?: string;
  readonly trailing?: ReactNode;
  readonly tone?: "neutral" | "accent" | "critical";
}

const dots = { neutral: "bg-border-control", accent: "bg-accent-text", critical: "bg-critical" } as const;

export interface TimelineProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly entries: readonly TimelineEntry[];
  /** Said where there are no entries. */
  readonly empty: string;
}

/** What happened, in the order given. */
export function Timeline({ title, description, entries, empty }: TimelineProps) {
  return (
    <Card description={description} title={title}>
      {entries.length === 0 ? (
        <p className="text-sm text-text-muted">{empty}</p>
      ) : (
        <ol className="flex flex-col gap-3">
          {entries.map(({ id, title, detail, at, by, trailing, tone = "neutral" }) => (
            <li
              className="relative flex gap-3 pl-5 text-sm before:absolute before:top-2.5 before:-bottom-5.5 before:left-[0.21875rem] before:w-px before:bg-border last:before:hidden"
              key={id}
            >
              <span
                aria-hidden
                className={cx("absolute top-1.5 left-0 size-2 rounded-full ring-4 ring-surface", dots[tone])}
              />
              <div className="min-w-0 flex-1">
                <p className="font-medium">{title}</p>
                {detail && <div className="wrap-anywhere whitespace-pre-wrap">{detail}</div>}
                {(at || by) && (
                  <p className="text-text-muted">
                    {at && <Timestamp value={at} />}
                    {at && by && ", "}
                    {by}
                  </p>
                )}
              </div>
              {trailing}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
